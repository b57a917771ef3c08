// node licences.js MODULES OUT: gathers the licence texts of every package whose code the bundled script contains. They are taken
// from the packages as installed, so that they can never lag behind the code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [modules, out] = process.argv.slice(2);
const BUNDLED = ['echarts', 'zrender', 'tslib'];
const parts = [];
for (const name of BUNDLED) {
  const folder = join(modules, name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = texts_in(folder).concat(name === 'echarts' ? texts_in(join(folder, 'licenses'), /./) : []);
  if (texts.length === 0) throw new Error(`${folder} holds no licence text; look at what the package ships now`);
  for (const text of texts) parts.push(`${name} ${version}: ${text.file}\n\n${text.body.trim()}\n`);
}
writeFileSync(out, parts.join(`\n${'-'.repeat(72)}\n\n`));

function texts_in(folder, pattern = /^(LICEN[CS]E|NOTICE|COPYING)/i) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name)).map((entry) => entry.name).sort()
    .map((file) => ({ file, body: readFileSync(join(folder, file), 'utf8') }));
}
