import { StubPlatform } from '../../test/stub-platform.js'

const TOKENS = { jwksUrl: 'https://id.example/jwks.json', issuer: 'https://id.example/', audience: 'my-app' }
const PROJECT = {
  ...{ id: 'a'.repeat(32), name: 'mine', chain: 'eth', allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [] },
  ...{ requireToken: true, tokens: TOKENS, limits: { perSecond: 1, perDay: 1 }, url: 'https://trestle.test/eth/v1/x' },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z' },
}
const PATH = `/eth/projects/${PROJECT.id}`
const NAMED = `--jwks-url ${TOKENS.jwksUrl} --issuer ${TOKENS.issuer} --audience my-app`

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())
beforeEach(() => platform.on('GET /eth/projects', { body: [PROJECT] }).on(`PATCH ${PATH}`, { body: PROJECT }))

it('shows the provider of a project', async () => {
  const { stdout, requests } = await platform.run('eth projects tokens mine --chain eth')
  expect(requests.at(-1)).toBe('GET /eth/projects')
  expect(stdout).toMatch(/token +needed\nkeys +https:\/\/id\.example\/jwks\.json\nissuer +https:\/\/id\.example\/\naudience +my-app/)
})

it.each([
  [NAMED, { tokens: TOKENS, requireToken: true }],
  ['--remove', { tokens: null }],
])('sets %s', async (options, expected) => {
  const { requests } = await platform.run(`eth projects tokens mine ${options} --chain eth`)
  expect(JSON.parse(requests.at(-1)?.slice(`PATCH ${PATH} `.length) ?? '')).toEqual(expected)
})

it.each(['--issuer x', '--jwks-url x --audience y', `${NAMED} --remove`])('refuses %s', async (options) => {
  const { exit, stderr } = await platform.run(`eth projects tokens mine ${options} --chain eth`)
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--jwks-url, --issuer and --audience together')])
})
