// Bundles the page into one file, src/explain/page/page.html, which is checked in and embedded by the C++ build.
//
//   node build.mjs          writes it
//   node build.mjs --check  fails if it is not what the sources give
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const kTarget = ['chrome111', 'firefox113', 'safari16.4'];

const script = buildSync({
  entryPoints: [here('src/main.ts')],
  bundle: true, minify: true, write: false, format: 'iife', target: kTarget, charset: 'utf8', legalComments: 'none',
}).outputFiles[0].text;

// The dark colours hold where the system asks for them and where the reader does: they are written once, used twice.
const source = readFileSync(here('src/style.css'), 'utf8');
const dark = /:root:not\(\[data-theme='light'\]\) (\{[^}]*\})/.exec(source)[1];
const style = transformSync(source.replace('/*dark*/', `:root[data-theme='dark'] ${dark}`), {
  loader: 'css', minify: true, target: kTarget, charset: 'utf8',
}).code;

// As functions: a '$' in the code means nothing.
const page = readFileSync(here('src/page.html'), 'utf8')
  .replace('/*style*/', () => style.trim())
  .replace('/*script*/', () => script.trim().replace(/<\/script/gi, '<\\/script'));

const target = here('../src/explain/page/page.html');
if (!process.argv.includes('--check')) {
  writeFileSync(target, page);
  console.log(`src/explain/page/page.html: ${Buffer.byteLength(page)} bytes`);
} else if (readFileSync(target, 'utf8') === page) {
  console.log('src/explain/page/page.html is current');
} else {
  console.error('src/explain/page/page.html is not what report/ gives: run ./dev page');
  process.exitCode = 1;
}
