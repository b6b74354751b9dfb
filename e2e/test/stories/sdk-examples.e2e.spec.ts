import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { platform } from './platform.js'

// The sdk's examples as docs/sdk.md shows them, each a program of its own, against the platform as built.

const FOLDER = join(import.meta.dirname, '../../../packages/sdk/examples')
const run = promisify(execFile)

const TOLD: Record<string, RegExp> = {
  'accounts.mjs': /^Signed in as .+\.\nA key is refused here: 401 InvalidToken\.\n(.*\n)*POST \/auth 200\n/,
  'btc-connect.mjs': /^[0-9a-f]{64} [\d.]+\n(.*\n)*\w+ has [\d.]+ LTC of \d+ transactions\.\nblock \{\n/,
  'eth-rpc.mjs': /^Block \d+ of chain \d+\.\n-32601 .+\n$/,
  'nodes.mjs': /^(\w+\n)*ready\n[0-9a-f]{64}\n$/,
  'staking.mjs':
    /^Send 32 ETH with 0x22895118\.\.\. to make ([0-9a-f]{96}) a validator\.\n(.*\n)*\1 pending \w+\n(.*\n)*A validator earns [\d.]+ % a year\.\n$/,
}

describe('the examples of the sdk', () => {
  it('are these', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(TOLD))
  })

  it.each(Object.entries(TOLD))('%s does what it says', async (file, told) => {
    const { stdout, stderr } = await run(process.execPath, [join(FOLDER, file), platform.ingress], { timeout: 100_000 })
    expect([stdout, stderr]).toEqual([expect.stringMatching(told), ''])
  })
})
