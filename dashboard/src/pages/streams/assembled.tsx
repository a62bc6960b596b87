/** The text of a model, without the frames in which it arrived. */
import type { StreamModel } from '../../live/stream-model';
import { Empty } from '../../ui/states';
import { assemble } from './assemble';

export function Assembled({ model }: { model: StreamModel; version: number }) {
  const text = assemble(model.events);
  if (text === null) {
    return <Empty title="No model text in these events yet">See “Events” for the raw events.</Empty>;
  }
  return <div className="assembled">{text}</div>;
}
