/** True from the first time that the condition holds, so that content shown once stays while more is loaded. */
import { useState } from 'react';

export function useLatch(condition: boolean): boolean {
  const [held, setHeld] = useState(condition);
  if (condition && !held) setHeld(true);
  return held;
}
