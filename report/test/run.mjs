// Bundles the tests whose name has the given ending (unit or browser) and runs them.
//
//   LINCHPIN=path/to/linchpin node test/run.mjs unit
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const kind = process.argv[2];
const sources = readdirSync(here).filter((name) => name.endsWith(`.${kind}.ts`)).map((name) => join(here, name));
if (sources.length === 0) throw new Error(`no tests of the kind '${kind}'`);
// Beside the packages, so that what is not bundled is found.
const out = mkdtempSync(join(here, '..', 'node_modules', '.linchpin-'));
buildSync({
  entryPoints: sources, outdir: out, outExtension: { '.js': '.mjs' },
  bundle: true, format: 'esm', platform: 'node', target: 'node18', packages: 'external', logLevel: 'warning',
});
const scratch = mkdtempSync(join(tmpdir(), 'linchpin-report-'));
const { status } = spawnSync(process.execPath, ['--test', ...readdirSync(out).map((name) => join(out, name))], {
  stdio: 'inherit',
  env: { ...process.env, LINCHPIN_SCRATCH: scratch },
});
rmSync(out, { recursive: true });
rmSync(scratch, { recursive: true });
process.exitCode = status ?? 1;
