/** The data centre in `cf-ray: 8f1b2c3d4e5f6a7b-FRA`; undefined if the field has a different form. */
export function rayColo(lines: readonly string[] | undefined): string | undefined {
  if (lines === undefined) return undefined;
  return /^[0-9a-f]{12,20}-([A-Z]{3})$/i.exec(lines[0]?.trim() ?? '')?.[1]?.toUpperCase();
}
