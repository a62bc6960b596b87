import { useEffect, useState, useSyncExternalStore } from 'react';
import { type ReadSnapshot, StreamReader } from './stream-reader';

const START = '-1';

/** Reads the stream while the page is open; starts over when the URL or the start offset changes. */
export function useStream(url: string, offset: string = START): ReadSnapshot {
  const [reader, setReader] = useState(() => new StreamReader(url, offset));
  useEffect(() => {
    const next = new StreamReader(url, offset);
    setReader(next);
    next.start();
    return () => next.close();
  }, [url, offset]);
  return useSyncExternalStore(reader.subscribe, () => reader.snapshot);
}
