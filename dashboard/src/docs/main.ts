/** `/docs`: Swagger UI on the server's own document. Requests use the browser's session. */
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { applyTheme, storedTheme } from '../ui/theme';
import { type ApiDocument, deepLink } from './deep-link';
import { searchPlugin } from './search-plugin';

const system = matchMedia('(prefers-color-scheme: dark)');

function paint(): void {
  const theme = storedTheme();
  applyTheme(theme);
  const dark = theme === 'dark' || (theme === 'system' && system.matches);
  // This class turns on Swagger UI's own dark theme.
  document.documentElement.classList.toggle('dark-mode', dark);
}

paint();
system.addEventListener('change', paint);

const [{ default: SwaggerUI }, spec] = await Promise.all([
  import('swagger-ui-dist/swagger-ui-es-bundle.js'),
  fetch('/openapi.json').then((response) => response.json() as Promise<ApiDocument>),
]);
const link = deepLink(spec, location.hash);
if (link !== undefined) history.replaceState(null, '', link);

/** Only its text: Swagger UI makes it a link inside a button, which assistive technology cannot distinguish. */
const DeepLink = ({ text }: { text: string }) => text;
/** There is only one server, this one. */
const ServersContainer = () => null;

SwaggerUI({
  domNode: document.getElementById('docs'),
  spec,
  // Nothing is sent to a third-party validator.
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  plugins: [() => ({ components: { DeepLink, ServersContainer } }), searchPlugin],
  docExpansion: 'list',
  layout: 'BaseLayout',
  defaultModelsExpandDepth: 0,
});
