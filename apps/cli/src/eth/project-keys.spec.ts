import type { ProjectKey } from '@trestle/contracts/eth-rpc/project-keys'
import { StubPlatform } from '../../test/stub-platform.js'

const PROJECT = {
  ...{ id: 'a'.repeat(32), name: 'mine', chain: 'eth', allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [] },
  ...{ requireToken: false, limits: { perSecond: 1, perDay: 1 } },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z', url: 'https://trestle.test/eth/v1/x' },
}
const PATH = `/eth/projects/${PROJECT.id}/keys`
const MOBILE: ProjectKey = {
  ...{ number: 3, name: 'mobile', lastFour: 'beef', createdAt: '2026-11-20T12:00:00.000Z' },
  ...{ expiresAt: '2026-12-22T12:00:00.000Z', lastUsedAt: '2026-11-22T11:00:00.000Z', lastUsedFrom: '192.0.2.7' },
}
const SERVER: ProjectKey = { number: 1, name: 'server', lastFour: 'cafe', createdAt: '2026-11-19T12:00:00.000Z' }
const URL = `https://trestle.test/eth/v1/${'b'.repeat(32)}`

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())
beforeEach(() => platform.on('GET /eth/projects', { body: [PROJECT] }).on(`GET ${PATH}`, { body: [MOBILE, SERVER] }))

it('lists the keys of the only project, with their last use', async () => {
  const { exit, stdout } = await platform.run('eth keys list --chain eth')
  expect(exit).toBe(0)
  expect(stdout).toMatch(/3 +mobile +beef +2d ago +1h ago +192\.0\.2\.7 +in 30d\n1 +server +cafe +3d ago +never +never/)
})

it('creates a key, and shows its URL once', async () => {
  platform.on(`POST ${PATH}`, { status: 201, body: { ...MOBILE, key: 'b'.repeat(32), url: URL } })
  const { stdout, requests } = await platform.run('eth keys create mine mobile --expires 30d --chain eth')
  expect(requests.at(-1)).toBe(`POST ${PATH} {"name":"mobile","expiresAt":"2026-12-22T12:00:00.000Z"}`)
  expect(stdout).toContain(URL)
  expect(stdout).toContain('not shown again')
})

it.each([
  ['3 --expires 30d', { expiresAt: '2026-12-22T12:00:00.000Z' }],
  ['mobile --name ios --no-expiry', { name: 'ios', expiresAt: null }],
])('edits %s', async (given, body) => {
  platform.on(`PATCH ${PATH}/3`, { body: MOBILE })
  const { requests } = await platform.run(`eth keys edit mine ${given} --chain eth`)
  expect(JSON.parse(requests.at(-1)?.slice(`PATCH ${PATH}/3 `.length) ?? '')).toEqual(body)
})

it.each([
  ['edit mine 3', 'Pass what to change'],
  ['edit mine 3 --no-expiry --expires 1d', 'contradict each other'],
])('refuses %s', async (given, message) => {
  const { exit, stderr } = await platform.run(`eth keys ${given} --chain eth`)
  expect([exit, stderr]).toEqual([2, expect.stringContaining(message)])
})

it('deletes a key by its name, and says when there is none', async () => {
  platform.on(`DELETE ${PATH}/1`, { status: 204 })
  const { requests, stderr } = await platform.run('eth keys rm mine server --yes --chain eth')
  expect(requests.at(-1)).toBe(`DELETE ${PATH}/1`)
  expect(stderr).toContain('The key server is deleted.')
  expect((await platform.run('eth keys rm mine other --yes --chain eth')).stderr).toContain('The project has no key "other".')
})
