import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@trestle/testing/eventually'
import { CLIENT, startOpenIdProvider } from '@trestle/testing/openid-provider'
import pg from 'pg'
import { type Browser, startBrowser, type Visitor } from './browser.js'
import { CommandLine } from './cli-under-test.js'
import { linkMailedTo } from './mailbox.js'
import { startTestPlatform, type TestPlatform } from './platform.js'

// Two organizations of five people: those of Acme sign in with their company, those of Globex are invited by mail.

const PASSWORD = 'three quiet owls at noon'
const ADDRESS = { country: 'GB', zipCode: 'W1', address: 'St James Square 12', state: 'London' }
const LEAVING_MS = 5_000
/** Of each the group at the provider, and what they therefore are. */
const ACME = { bob: ['ops', 'operator'], cat: ['dev', 'developer'], dan: ['finance', 'billing'], eve: ['', 'viewer'] } as const
const GLOBEX = { gus: 'operator', hal: 'developer', ida: 'viewer', jon: 'auditor' } as const

const folder = mkdtempSync(join(tmpdir(), 'trestle-companies-'))
let platform: TestPlatform
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
let browser: Browser
let acme: string
let globex: string
const shells = new Map<string, CommandLine>()

beforeAll(async () => {
  platform = await startTestPlatform('nodes', 'staking', 'eth', 'console')
  const { ingress } = platform.info
  acme = await founded('ada@acme.example', 'Acme')
  globex = await founded('fay@globex.example', 'Globex')
  provider = await startOpenIdProvider([`${ingress}/session/callback/acme`])
  writeFileSync(join(folder, 'secret'), CLIENT.secret)
  writeFileSync(join(folder, 'providers.yaml'), JSON.stringify({ providers: [settings()] }))
  await platform.restart('accounts', { IDENTITY_PROVIDERS_FILE: join(folder, 'providers.yaml') })
  browser = await startBrowser(ingress)
}, 300_000)
afterAll(async () => {
  for (const shell of shells.values()) shell.remove()
  await browser?.stop()
  await provider?.stop()
  await platform?.stop()
  rmSync(folder, { recursive: true })
})

describe('Acme, whose people sign in with their company', () => {
  let ada: Visitor
  let eve: Visitor
  let bob: Visitor

  it('refuses the password of its founder, who signs in with the company and still owns it', async () => {
    const authorization = `Basic ${Buffer.from(`ada@acme.example:${PASSWORD}`).toString('base64')}`
    const answer = await fetch(`${platform.info.ingress}/accounts/auth`, { method: 'POST', headers: { authorization } })
    expect(await answer.json()).toMatchObject({ code: 'SignInWithProvider' })
    ada = await arrival('ada', '')
    await choose(ada, 'Acme')
    await ada.page.goto('/app/organization')
    await ada.page.getByRole('heading', { name: 'Acme' }).waitFor()
  })

  it('has four more members once they have signed in, with the roles of their groups', async () => {
    const visitors = new Map<string, Visitor>()
    for (const [name, [group]] of Object.entries(ACME)) visitors.set(name, await arrival(name, group))
    eve = visitors.get('eve')!
    bob = visitors.get('bob')!
    await ada.page.goto('/app/organization')
    const members = ada.page.getByRole('table', { name: 'Members' })
    for (const [name, [, role]] of Object.entries(ACME)) {
      const row = members.getByRole('row').filter({ hasText: `${name}@acme.example` })
      await row.getByText(role, { exact: false }).first().waitFor()
    }
    expect(await ada.screenshot('company-members')).toEqual([])
  })

  it('shares what its operator makes at a shell, to which the browser lets them in', async () => {
    await logIn('bob', bob)
    const shell = shells.get('bob')!
    await shell.output(['orgs', 'use', acme])
    await shell.output(['nodes', 'create', 'ltc'])
    await shell.output(['eth', 'projects', 'create', 'treasury'])
    await shell.output(['validators', 'create', '--withdrawal-address', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'])
    await choose(eve, 'Acme')
    await seesAll(eve)
  })

  it('keeps what somebody made who leaves, and the bill of last month to the byte', async () => {
    const dan = new CommandLine()
    shells.set('dan', dan)
    const visitor = await arrival('dan', 'finance')
    await logIn('dan', visitor)
    await dan.output(['orgs', 'use', acme])
    await insertLastMonth()
    const month = ['billing', 'report', '--from', '2026-10-01', '--to', '2026-10-31', '-o', 'json']
    const bill = await dan.output(month)
    expect(JSON.parse(bill)).toEqual([expect.objectContaining({ userEmail: 'bob@acme.example' })])

    await ada.page.goto('/app/organization')
    const row = ada.page.getByRole('row').filter({ hasText: 'bob@acme.example' })
    await row.getByRole('button', { name: 'Remove' }).click()
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    await eventually(
      async () => (await shells.get('bob')!.run(['nodes', 'list'])).code === 5 || undefined,
      'who has left does not find the organization',
      LEAVING_MS,
    )
    expect(await dan.output(month)).toBe(bill)
    await seesAll(eve)
  })
})

describe('Globex, whose people are invited', () => {
  it('has four more members, who find what one of them makes, and nothing of Acme', async () => {
    const fay = await shellOf('fay')
    await fay.output(['orgs', 'use', globex])
    for (const [name, role] of Object.entries(GLOBEX)) {
      await fay.output(['orgs', 'invite', globex, `${name}@globex.example`, '--role', role])
      await register(`${name}@globex.example`)
      const link = await linkMailedTo(`${name}@globex.example`, platform.info.mailbox, 'invitation')
      const [, token = ''] = /invitation\/([^/?#]+)/.exec(link) ?? []
      const shell = await shellOf(name)
      await shell.output(['orgs', 'accept'], { stdin: token })
      await shell.output(['orgs', 'use', globex])
    }
    const project = await shells.get('gus')!.json(['eth', 'projects', 'create', 'shared'])
    for (const name of ['fay', 'hal', 'ida', 'jon'])
      expect(await shells.get(name)!.json(['eth', 'projects', 'list'])).toEqual([expect.objectContaining({ id: project.id })])
    expect((await shells.get('ida')!.run(['eth', 'projects', 'create', 'mine'])).code).toBe(4)
    expect((await shells.get('gus')!.run(['eth', 'projects', 'list', '--org', acme])).code).toBe(5)
    expect(await fay.json(['orgs', 'members', globex])).toHaveLength(5)
  })
})

function settings() {
  return {
    ...{ id: 'acme', title: 'Acme', preset: 'keycloak', issuer: provider.issuer, clientId: CLIENT.id, domains: ['acme.example'] },
    ...{ clientSecretFile: join(folder, 'secret'), required: true, organization: acme, roles: ['viewer'] },
    groups: Object.fromEntries(Object.values(ACME).flatMap(([group, role]) => (group ? [[group, [role]]] : []))),
  }
}

/** A new user with a password, whose organization it is. */
async function founded(email: string, name: string): Promise<string> {
  await register(email)
  const shell = await shellOf(email.split('@')[0] ?? '', email)
  const { id } = await shell.json(['orgs', 'create', name])
  return id
}

async function register(email: string): Promise<void> {
  const body = { email, password: PASSWORD, displayName: email.split('@')[0], billingAddress: ADDRESS }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${platform.info.ingress}/accounts/users`, { method: 'POST', headers, body: JSON.stringify(body) })
  const token = await platform.verificationToken(email)
  await fetch(`${platform.info.ingress}/accounts/users/${email}/token/${token}`, { method: 'PUT' })
}

/** The shell of somebody who has a password. */
async function shellOf(name: string, email = `${name}@globex.example`): Promise<CommandLine> {
  const shell = shells.get(name) ?? new CommandLine()
  if (!shells.has(name)) await shell.login(platform.info.ingress, { email, password: PASSWORD })
  shells.set(name, shell)
  return shell
}

/** Signs in with the company, in a browser of their own. */
async function arrival(name: string, group: string): Promise<Visitor> {
  provider.person(name, { email: `${name}@acme.example`, email_verified: true, name, groups: group ? [group] : [] })
  const visitor = await browser.visitor()
  await visitor.page.goto('/app/account/sign-in')
  await visitor.page.getByRole('button', { name: 'Sign in with Acme' }).click()
  await visitor.page.waitForURL((to) => to.pathname.startsWith('/app') && !to.pathname.includes('/account/'))
  return visitor
}

async function choose({ page }: Visitor, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitemradio', { name }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Logs a shell in with the browser of somebody who is signed in there. */
async function logIn(name: string, { page }: Visitor): Promise<void> {
  const shell = shells.get(name) ?? new CommandLine()
  shells.set(name, shell)
  const waiting = shell.start(['login', '--url', platform.info.ingress, '--browser'])
  await waiting.says(/and confirm there/)
  const [link = ''] = /http\S+device\S+/.exec(waiting.stdout + waiting.stderr) ?? []
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign it in' }).click()
  expect((await waiting.ended).code).toBe(0)
}

async function seesAll({ page }: Visitor): Promise<void> {
  await page.goto('/app/nodes')
  await page.getByRole('table').getByText('Litecoin', { exact: false }).first().waitFor()
  await page.goto('/app/ethereum')
  await page.getByText('treasury').first().waitFor()
  await page.goto('/app/staking')
  // Its name is its public key.
  await page.getByRole('table').getByRole('row').nth(1).waitFor()
}

/** Days that are over, of all validators. */
async function insertLastMonth(): Promise<void> {
  const db = new pg.Client(platform.info.postgres)
  await db.connect()
  await db.query(`BEGIN; SET LOCAL session_replication_role = replica; UPDATE staking.validator SET created_at = '2026-09-01';
    UPDATE staking.validator_ownership SET from_day = '2026-09-01'; COMMIT`)
  await db.query(`
    INSERT INTO staking.validator_day (serial, day, opening_gwei, closing_gwei, effective_eth, slashed, withdrawals_gwei, deposits_gwei,
      rewards_gwei, penalties_gwei, rounding_gwei, unbroken_epochs, active_epochs, stake_eth_epochs, execution_rewards_wei)
    SELECT serial, '2026-09-30'::date + n, 32000000000, 32000000000 + 1000 - n, 32, false, 0, 0, 1000, n, 0, 225, 225, 225 * 32, 0
    FROM staking.validator, generate_series(1, 31) AS n`)
  await db.end()
}
