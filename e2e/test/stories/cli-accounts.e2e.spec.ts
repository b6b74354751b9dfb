import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createTrestle } from '@trestle/sdk/trestle'
import { eventually } from '@trestle/testing/eventually'
import { CommandLine, expectGolden } from '../cli-under-test.js'
import { linkMailedTo } from '../mailbox.js'
import { newcomer, type Person, platform } from './platform.js'

// Every command of these nouns once, as a shell script would call it; the files beside this one have the others.

const NOBODY = 'http://127.0.0.1:1'
const SOMEBODY = 'user-00000000-0000-4000-8000-000000000000'

const url = platform.ingress
const cli = new CommandLine()
let grace: Person
beforeAll(async () => {
  grace = await newcomer('grace')
  await cli.login(url, grace)
  await cli.output(['orgs', 'create', 'Shipyard'])
})

afterAll(() => cli.remove())

describe('an account', () => {
  it('logs in, stores its token in a file for its owner only, and prints no secret', async () => {
    expect(statSync(join(cli.home, '.config/trestle/credentials.json')).mode & 0o777).toBe(0o600)
    expect(await cli.golden('whoami')).toMatchObject({ email: grace.email })
    expect(await cli.output(['whoami'])).toContain('name    grace\n')
    expect(await cli.output(['whoami', '-o', 'yaml'])).toContain('displayName: grace\n')
    expect(await cli.output(['token'])).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  })

  it('creates, lists and deletes client keys', async () => {
    const { clientId } = await cli.golden('keys create', '--name', 'indexer', '--scope', 'nodes', '--expires', '90d')
    expect(await cli.golden('keys list')).toEqual([expect.objectContaining({ id: clientId, scopes: ['nodes'] })])
    expect(await cli.golden('keys edit', clientId, '--per-day', '1000', '--clear', 'expires')).toMatchObject({ id: clientId, perDay: 1000 })
    expect(await cli.golden('account identities list')).toEqual([])
    expect(await cli.run(['keys', 'rm', clientId])).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') })
    expect(await cli.run(['keys', 'rm', clientId, '--yes'])).toMatchObject({ code: 0, stdout: '' })
    expect(await cli.code(['keys', 'rm', clientId, '--yes'])).toBe(5)
  })

  it('manages its organization', async () => {
    const [{ id }] = await cli.golden('orgs list')
    const [{ userId }] = await cli.golden('orgs members', id)
    await cli.golden('orgs roles', id, userId, 'owner', 'billing')
    await cli.golden('orgs invite', id, 'linus@example.org', '--role', 'auditor')
    await cli.golden('orgs invitations', id)
    await cli.golden('roles set', 'on-call', 'nodes:read', '--org', id)
    expect(await cli.golden('roles list', '--org', id)).toContainEqual(expect.objectContaining({ name: 'on-call', custom: true }))
    const { id: deployer } = await cli.golden('service-accounts create', 'deployer', 'on-call', '--org', id)
    expect(await cli.golden('service-accounts list', '--org', id)).toEqual([expect.objectContaining({ id: deployer })])
    expect(await cli.code(['roles', 'rm', 'on-call', '--yes', '--org', id])).toBe(6)
    expect(await cli.code(['service-accounts', 'rm', deployer, '--yes', '--org', id])).toBe(0)
    expect(await cli.code(['roles', 'rm', 'on-call', '--yes', '--org', id])).toBe(0)
    const changes = async () => (await cli.json(['orgs', 'events', id, '--changes'])).length > 0 || undefined
    await eventually(changes, 'the organization knows of it')
    const { id: another } = await cli.json(['orgs', 'create', 'Another'])
    await cli.json(['keys', 'create', '--name', 'mine'])
    await cli.run(['orgs', 'use', another])
    expect(await cli.json(['keys', 'list'])).toEqual([])
    expect(await cli.json(['keys', 'list', '--org', 'personal'])).toEqual([expect.objectContaining({ name: 'mine' })])
    await cli.run(['orgs', 'use', 'personal'])
    expect(await cli.code(['orgs', 'remove', id, SOMEBODY, '--yes'])).toBe(5)
    expect((await cli.run(['orgs', 'accept'], { stdin: SOMEBODY })).stderr).toContain('InvalidInvitation')

    const ada = new CommandLine()
    const invited = await newcomer('invited')
    await ada.login(url, invited)
    await cli.output(['orgs', 'invite', id, invited.email])
    const link = await linkMailedTo(invited.email, platform.mailbox, 'invitation')
    expect(await ada.json(['orgs', 'accept'], { stdin: link.split('/').at(-1) })).toMatchObject({ id, roles: ['member'] })
    const { userId: joined } = (await cli.json(['orgs', 'members', id])).find(({ email }: Person) => email === invited.email)
    await cli.output(['orgs', 'remove', id, joined, '--yes'])
    expect(await ada.json(['orgs', 'list'])).toEqual([expect.objectContaining({ personal: true, roles: ['owner'] })])
    ada.remove()
  })

  it('lists its activity, and follows new activity', async () => {
    await eventually(async () => (await cli.json(['events'])).length > 0 || undefined, 'it is told of')
    expectGolden('events', (await cli.json(['events', '--limit', '1']))[0].output)
    const following = cli.start(['events', '--follow', '-o', 'json'])
    await eventually(async () => {
      await cli.output(['orgs', 'list'])
      return following.stdout.includes('/organizations') || undefined
    }, 'it is told')
    following.child.kill('SIGINT')
    const { code: ended, stdout, stderr } = await following.ended
    expect([ended, stderr]).toEqual([130, ''])
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('input.route')
    expect(stdout).not.toContain('"/users/me/events"')
  })

  it('is told to log in again once its session has ended, with exit code 3', async () => {
    const other = new CommandLine()
    await other.login(url, grace)
    const me = createTrestle({ url }).with({ token: (await other.output(['token'])).trim() })
    const sessions = await me.accounts.sessions.list()
    await me.accounts.sessions.end({ params: { id: sessions.find(({ current }) => current)!.id } })
    const refused = await eventually(async () => {
      const ended = await other.run(['nodes', 'list'])
      return ended.code === 0 ? undefined : ended
    }, 'the session is over everywhere')
    expect(refused).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/InvalidToken, request [\w-]+\nRun: trestle login/),
    })
    expect(await other.run(['logout'])).toMatchObject({ code: 0, stderr: 'Logged out.\n' })
    expect(await other.run(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('You are not logged in at') })
    other.remove()
  })

  it('rejects a wrong password, and sends its login to no other platform', async () => {
    const wrong = await cli.run(['login', '--profile', 'x', '--url', url, '--email', grace.email, '--password-stdin'], {
      stdin: 'wrong',
    })
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('InvalidCredentials') })
    expect(await cli.run(['whoami'], { env: { TRESTLE_URL: NOBODY } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`You are logged in at ${url}, not at ${NOBODY}.`),
    })
  })
})

it('a client key opens its areas, and keeps its token for the next run', async () => {
  const { clientId, clientSecret } = await cli.json(['keys', 'create'])
  const machine = ['--profile', 'machine']
  await cli.output(['login', '--url', url, '--client-id', clientId, '--secret-stdin', ...machine], { stdin: clientSecret })
  expect(await cli.json(['whoami', ...machine])).toMatchObject({ clientId, areas: expect.arrayContaining(['nodes']) })
  expect(await cli.output(['token', ...machine])).toBe(await cli.output(['token', ...machine]))
  expect(await cli.json(['nodes', 'list'], { env: { TRESTLE_PROFILE: 'machine' } })).toEqual([])
  expect(await cli.run(['keys', 'list', ...machine])).toMatchObject({ code: 3, stderr: expect.stringContaining('client key') })
  await cli.output(['keys', 'rm', clientId, '--yes'])
})

describe('the platform', () => {
  it('survives a reader that closes the pipe', async () => {
    const running = cli.start(['events', '--limit', '1000', '-o', 'json'])
    running.child.stdout.destroy()
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('is healthy while all its areas answer', async () => {
    const { areas } = await cli.golden('status')
    const states = new Map(areas.map(({ name, state }: { name: string; state: string }) => [name, state]))
    expect(['accounts', 'staking', 'nodes', 'ltc', 'eth', 'bch'].map((name) => states.get(name))).toEqual([
      ...Array(5).fill('up'),
      'not deployed',
    ])
  })

  it('is diagnosed together with the machine', async () => {
    const { stdout } = await cli.run(['doctor', '-o', 'json'])
    const found = new Map(JSON.parse(stdout).map(({ name, state }: { name: string; state: string }) => [name, state]))
    expect(['Node', 'platform', 'login', 'clock'].map((name) => found.get(name))).toEqual(Array(4).fill('ok'))
  })
})
