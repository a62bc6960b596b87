// Appends many bytes to each of several streams at once: `large-writer.mjs URL COUNT BYTES`.
const [url = '', count = '', bytes = ''] = process.argv.slice(2);
const body = new Uint8Array(Number(bytes)).fill(2);
const statuses = await Promise.all(
  Array.from({ length: Number(count) }, async (_, n) => {
    const headers = { 'content-type': 'application/octet-stream' };
    return (await fetch(`${url}v1/stream/large${n}`, { method: 'POST', headers, body })).status;
  }),
);
process.exit(statuses.every((status) => status < 300) ? 0 : 1);
