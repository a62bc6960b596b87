/** Text that is the same in every run and different on every page: words drawn by a seeded generator. */
const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe fi fo ga ge go ka ke ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se so ta te ti to va ve vi vo za ze zo'.split(
    ' ',
  );

export function seeded(seed: string): () => number {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 0x6d2b79f5;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489909);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296;
  };
}

/** Returns `count` words in sentences of twelve. */
export function sentences(seed: string, count: number): string {
  const random = seeded(seed);
  const words = Array.from({ length: count }, () => {
    const length = 2 + Math.floor(random() * 2);
    return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
  });
  const lines: string[] = [];
  for (let at = 0; at < words.length; at += 12) {
    const line = words.slice(at, at + 12).join(' ');
    lines.push(`${line.charAt(0).toUpperCase()}${line.slice(1)}.`);
  }
  return lines.join(' ');
}
