/** Prints the measurements of a fault run as one line that can be quoted. */
export function report(name: string, figures: Readonly<Record<string, string | number>>): void {
  console.log(`${name}: ${JSON.stringify(figures)}`);
}
