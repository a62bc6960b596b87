/** The first page: what needs attention, what runs, what happened last, and whether the server is well. */
import { Page } from '../../ui/page';
import { DemoCard } from './demo-card';
import { Attention, Health, Latest, Running } from './panels';
import { useRecent } from './use-recent';

export function HomePage() {
  const recent = useRecent();
  return (
    <Page title="Home" lead="What goes out through this server, and what came back.">
      <DemoCard first={recent.loaded && recent.items.length === 0} />
      <div className="grid">
        <Attention recent={recent} />
        <Running recent={recent} />
        <Latest recent={recent} />
        <Health />
      </div>
    </Page>
  );
}
