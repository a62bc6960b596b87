/** Finds a Chromium for the projects whose tests open pages. */
import type { TestProject } from 'vitest/node';
import { findChromium } from './find-chromium.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the browser's executable. */
    chromium: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const { how, path } = await findChromium();
  console.error(`browser tests: ${how} ${path}`);
  project.provide('chromium', path);
}
