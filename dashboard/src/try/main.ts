/** Swagger UI on the server's own document. Requests use the browser's session. */
import 'swagger-ui-dist/swagger-ui.css';
import './try.css';
import { applyTheme, storedTheme } from '../ui/theme';

applyTheme(storedTheme());
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const theme = storedTheme() === 'system' ? system : storedTheme();
// This class turns on Swagger UI's own dark theme.
document.documentElement.classList.toggle('dark-mode', theme === 'dark');

const { default: SwaggerUI } = await import('swagger-ui-dist/swagger-ui-es-bundle.js');
/** Only its text: Swagger UI makes it a link inside a button, which assistive technology cannot distinguish. */
const DeepLink = ({ text }: { text: string }) => text;
/** The console has only one server, its own. */
const ServersContainer = () => null;

SwaggerUI({
  domNode: document.getElementById('try'),
  url: '/openapi.json',
  // Nothing is sent to a third-party validator.
  validatorUrl: null,
  deepLinking: true,
  plugins: [() => ({ components: { DeepLink, ServersContainer } })],
  docExpansion: 'none',
  layout: 'BaseLayout',
  defaultModelsExpandDepth: 0,
});
