// Instruments a source text so that it records which places of mutants have run, by which test file, in any thread of
// the process.

export const HITS_VARIABLE = 'SONDE_MUTANT_HITS';
export const FILE_VARIABLE = 'SONDE_MUTANT_TEST_FILE';
export const PHASE_VARIABLE = 'SONDE_MUTANT_PHASE';

/** @typedef {{ id: number, start: number, end: number, isStatement: boolean }} Probe */

const DEFINITION = `globalThis.__sondeHit ??= (() => {
  const { appendFileSync } = process.getBuiltinModule('node:fs');
  return (id) => {
    const seen = (globalThis.__sondeSeen ??= new Set());
    const { ${HITS_VARIABLE}: hits, ${PHASE_VARIABLE}: phase, ${FILE_VARIABLE}: file } = process.env;
    const hit = id + ' ' + phase + ' ' + file;
    if (seen.has(hit) || hits === undefined) return;
    seen.add(hit);
    appendFileSync(hits, hit + '\\n');
  };
})();`;

/**
 * @param {string} text
 * @param {readonly Probe[]} probes
 * @param {string} file recorded when the text is loaded
 * @returns {string}
 */
export function probedText(text, probes, file) {
  // Probes are nested or disjoint. At the same position, inner ones close first and outer ones open first.
  const marks = probes.flatMap(({ id, start, end, isStatement }) => [
    {
      at: start,
      isOpening: true,
      length: end - start,
      mark: `${isStatement ? '{' : '('}globalThis.__sondeHit?.(${id})${isStatement ? ';' : ','}`,
    },
    { at: end, isOpening: false, length: end - start, mark: isStatement ? '}' : ')' },
  ]);
  marks.sort(
    (a, b) =>
      a.at - b.at ||
      Number(a.isOpening) - Number(b.isOpening) ||
      (a.isOpening ? b.length - a.length : a.length - b.length),
  );
  let probed = '';
  let from = 0;
  for (const { at, mark } of marks) {
    probed += text.slice(from, at) + mark;
    from = at;
  }
  return `${DEFINITION}\nglobalThis.__sondeHit?.('${file}');\n${probed}${text.slice(from)}`;
}
