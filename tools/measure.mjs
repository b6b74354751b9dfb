// npm run measure: sizes, shapes and counts of the code. `npm run measure homonyms` (needless, impure, misnamed) lists what one measure counts.
import { execFileSync } from 'node:child_process'
import { homonyms, impurities, misnamedClasses, needlessExports, summary } from '../packages/tooling/src/measures/measures.js'
import { readRepository } from '../packages/tooling/src/measures/repository.js'
import { root } from './progress.mjs'

const files = readRepository(root)
const LISTS = {
  homonyms: () => [...homonyms(files)].map(([name, paths]) => `${name} ${paths.length} ${paths.join(' ')}`),
  needless: () => needlessExports(files),
  impure: () => impurities(files),
  misnamed: () => misnamedClasses(files),
}
const [list] = process.argv.slice(2)
if (list) console.log(LISTS[list]().join('\n'))
else for (const [measure, value] of Object.entries({ ...summary(files), ...commits() })) print(measure, value)

function print(measure, value) {
  if (Array.isArray(value)) console.log(`${measure}: ${value.length}${value.map((each) => `\n    ${each}`).join('')}`)
  else console.log(`${measure}: ${value}`)
}

function commits() {
  const subjects = execFileSync('git', ['log', '--format=%s', '-80'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const lengths = subjects.map((subject) => subject.length).sort((a, b) => a - b)
  return {
    'commit subjects p50': lengths[Math.floor(lengths.length / 2)],
    'commit subjects over 72': `${lengths.filter((length) => length > 72).length} of ${lengths.length}`,
  }
}
