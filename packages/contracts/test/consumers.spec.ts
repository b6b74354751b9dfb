import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MESSAGES } from '../src/nats/messages.js'

const ROOT = join(import.meta.dirname, '../../..')
const files = globSync('apps/*/src/**/*.consumer.ts', { cwd: ROOT })
// Accounts creates the consumers that the contracts list: one that a service alone names would never receive anything.
const consumed = files.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/@Consumes(?:Batch)?\(\w+, \{ durable: '([\w-]+)' \}\)/g)].map(
    ([, durable]) => `${file.split('/')[1]} ${durable}`,
  ),
)

describe('the durable consumers of the contracts', () => {
  it('are those that the services consume from', () => {
    const listed = MESSAGES.events.flatMap(({ consumedBy = [] }) => consumedBy.map(({ app, durable }) => `${app} ${durable}`))
    expect(consumed.sort()).toEqual(listed.sort())
  })
})
