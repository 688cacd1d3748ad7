// `node scripts/register-of-processing.ts`: prints the register of processing, as Markdown.
import { openSourceModules } from './source-modules.ts';

const vite = await openSourceModules();
try {
  const { registerOfProcessing } = await vite.ssrLoadModule(
    '/src/features/desk/privacy/register.server.ts',
  );
  console.log(registerOfProcessing());
} finally {
  await vite.close();
}
