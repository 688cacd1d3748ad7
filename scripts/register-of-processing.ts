// `node scripts/register-of-processing.ts`: prints the register of processing, as Markdown.
import { openSourceModules } from './source-modules.ts';

const modules = await openSourceModules();
try {
  const { processingRegister } = await modules.load<
    typeof import('../src/features/desk/privacy/register.server.ts')
  >('/src/features/desk/privacy/register.server.ts');
  console.log(processingRegister());
} finally {
  await modules.close();
}
