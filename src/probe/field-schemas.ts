/** The bounded field types that the envelope schemas are built from. */
import * as z from 'zod';

export { exactOptional as opt } from '../exact-optional.js';

export const line = z.string().max(16_384);
export const short = z.string().max(1024);
export const texts = z.array(line).max(2000);
export const count = z.int().min(0);
export const ms = z.number().min(0);
export const status = z.int().min(100).max(999);
export const fault = z.object({ code: short, message: line });
/** Header lines by name. */
export const lines = z.record(short, texts);
