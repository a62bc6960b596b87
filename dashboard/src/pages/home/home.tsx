/** The home page: what needs attention, what is running, what happened last, and whether the server is healthy. */

import { useDemo } from '../../api/system';
import { Page } from '../../ui/page';
import { Loading } from '../../ui/states';
import { DemoCard } from './demo-card';
import { Attention, Health, Latest, Running } from './panels';
import { useRecent } from './use-recent';

export function HomePage() {
  const recent = useRecent();
  const demo = useDemo();
  return (
    <Page title="Home" lead="What this server sent out, and what came back.">
      {recent.loaded && demo !== undefined ? (
        <>
          <DemoCard first={recent.items.length === 0} />
          <div className="grid wide-first">
            <div className="column">
              <Attention recent={recent} />
              <Latest recent={recent} />
            </div>
            <div className="column">
              <Running recent={recent} />
              <Health />
            </div>
          </div>
        </>
      ) : (
        // Shown all at once: panels that fill one after the other would push each other down.
        <Loading what="the latest work" />
      )}
    </Page>
  );
}
