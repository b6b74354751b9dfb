import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { curlOf, snippetsOf } from './snippets.js'

const URL = 'http://127.0.0.1/eth/v1/0123'

describe(curlOf, () => {
  it('reaches curl unchanged, whatever the body contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', '!', 'a', '&', 'é') }), (body) => {
        expect(argumentsOf(curlOf({ url: URL, requireToken: false }, body))).toEqual([
          '-s',
          URL,
          '-H',
          'Content-Type: application/json',
          '-d',
          body,
        ])
      }),
      { numRuns: 20 },
    )
  })

  it('leaves the token to the shell where one is needed', () => {
    expect(argumentsOf(curlOf({ url: URL, requireToken: true }, '{}'))).toContain('Authorization: Bearer secret')
  })
})

describe(snippetsOf, () => {
  it('adds the token in each language, only where it is required', () => {
    const mentioning = (requireToken: boolean) =>
      Object.entries(snippetsOf({ url: URL, requireToken }))
        .filter(([, code]) => code.includes('TOKEN'))
        .map(([name]) => name)
    expect([mentioning(true), mentioning(false)]).toEqual([['curl', 'viem', 'ethers', 'WebSocket'], []])
  })

  it('opens a WebSocket at the address for WebSockets', () => {
    expect(snippetsOf({ url: URL, requireToken: false })['WebSocket']).toContain(`new WebSocket('ws://127.0.0.1/eth/v1/0123')`)
  })
})

/** What a shell makes of a command. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { TOKEN: 'secret' } })
    .split('\0')
    .slice(0, -1)
}
