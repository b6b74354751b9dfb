import { readFileSync } from 'node:fs'
import { EthereumRpc } from '@trestle/devnet/ethereum/ethereum-rpc'
import { eventually } from '@trestle/testing/eventually'
import type { Page } from 'playwright-core'
import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { linkMailedTo } from '../mailbox.js'
import { newcomer, platform } from './platform.js'

// A validator's whole life, and the report of what it has earned.

const WITHDRAWAL = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ETHER = 10n ** 18n
const { beacon, execution, account } = platform.staking!
const chain = new EthereumRpc(execution)

let browser: Browser
let owner: Visitor
let pubkey: string
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
  owner = await browser.visitor()
  await owner.context.exposeFunction('askWallet', askAnvil)
  await owner.context.addInitScript('globalThis.ethereum = { request: (call) => askWallet(call) }')
  await owner.signIn(await newcomer('staker'))
})
afterAll(() => browser?.stop())
afterEach(() => expect(owner.complaints.splice(0)).toEqual([]))

describe('a validator', () => {
  it('is created, and the browser checks its deposit before the wallet sends it', async () => {
    const { page } = owner
    await page.goto('/app/staking')
    await page.getByText('No validators yet').waitFor()
    expect(await owner.screenshot('staking-empty')).toEqual([])
    await page.getByRole('link', { name: 'Create a validator' }).first().click()
    await page.getByRole('textbox', { name: 'Withdrawal address' }).fill(WITHDRAWAL)
    await page.getByText('Valid checksum').waitFor()
    expect(await owner.screenshot('validator-new')).toEqual([])
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('All checks passed.').waitFor()
    expect(await owner.screenshot('validator-deposit')).toEqual([])
  })

  it('cannot be paid for when the withdrawal address is not the owner’s', async () => {
    const { page } = owner
    const yours = page.getByLabel('Your withdrawal address')
    await yours.fill(account)
    await page.getByText('Do not send this deposit.').waitFor()
    expect(await page.getByRole('button', { name: 'Send with browser wallet' }).count()).toBe(0)
    await yours.fill(WITHDRAWAL)
    await page.getByText('All checks passed.').waitFor()
  })

  it('is paid for by the wallet, becomes active and earns', async () => {
    const { page } = owner
    await page.getByRole('button', { name: 'Send with browser wallet' }).click()
    await page.getByText('Sent. It appears here').waitFor()
    await grow(page, 'Active')
    await advance(4)
    await page.getByText('Earned in this period').waitFor()
    expect(await owner.screenshot('validator-active')).toEqual([])
  })

  it('exits when its full key is typed, and is paid out', async () => {
    const { page } = owner
    const before = await balance()
    await page.getByRole('button', { name: 'Exit validator' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Exit validator' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(`0x${pubkeyOf(page)}`)
    await confirm.click()
    await grow(page, 'Withdrawn')
    expect(await owner.screenshot('validator-withdrawn')).toEqual([])
    pubkey = pubkeyOf(page)
    expect((await balance()) - before).toBeGreaterThan(31n * ETHER)
  })
})

describe('an auditor', () => {
  let auditor: Visitor
  beforeAll(async () => {
    auditor = await browser.visitor()
    await auditor.signIn(await newcomer('auditor'))
  })

  it('sees which role the report requires', async () => {
    await auditor.page.goto('/app/staking/billing')
    await auditor.page.getByText('Auditor or billing role required').waitFor()
  })

  it('is invited to the organization, and accepts by the link in the mail', async () => {
    const { page } = owner
    await page.goto('/app/organization')
    await page.getByLabel('Organization name').fill('Staking Ltd')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('auditor@example.org')
    for (const role of await dialog.getByRole('checkbox', { checked: true }).all()) await role.uncheck()
    await dialog.getByRole('checkbox', { name: 'Auditor' }).check()
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('table', { name: 'Open invitations' }).getByText('auditor@example.org').waitFor()
    expect(await owner.screenshot('organization')).toEqual([])

    await auditor.page.goto(await linkMailedTo('auditor@example.org', platform.mailbox, 'invitation'))
    await auditor.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await auditor.page.getByText('You are now a member of Staking Ltd.').waitFor()
  })

  it('reads the billing report, and downloads it', async () => {
    const { page } = auditor
    await page.goto('/app/staking/billing')
    await page.getByRole('table').getByText('staker').first().waitFor()
    expect(await auditor.screenshot('billing')).toEqual([])
    const json = JSON.parse(await downloaded(page, 'Download (JSON)'))
    expect(JSON.stringify(json)).toContain(pubkey)
    expect(await downloaded(page, 'Download (CSV)')).toContain(pubkey)
    expect(auditor.complaints).toEqual([])
  })
})

/** Makes the chain's time go by, and the service look at it, until the page shows this status. */
async function grow(page: Page, status: string): Promise<void> {
  const badge = page.locator('[class*=Badge-label]', { hasText: status })
  for (let round = 0; round < 30 && (await seen(page)).status !== status.toLowerCase(); round++) {
    await advance(4)
    const looked = Date.now()
    await eventually(async () => Date.parse((await seen(page)).asOf ?? '') > looked || undefined, 'the service looks at the chain')
  }
  await badge.first().waitFor()
}

async function seen(page: Page): Promise<{ status: string; asOf: string | null }> {
  const answer = await page.request.get(`/api/staking/ethereum/dev/validators/${pubkeyOf(page)}`, { headers: { 'x-trestle-console': '1' } })
  return answer.json()
}

function pubkeyOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

async function advance(epochs: number): Promise<void> {
  const body = JSON.stringify({ epochs })
  await fetch(`${beacon}/dev/advance`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** The wallet that is not there: its account is one of the execution chain's own, and it agrees to everything. */
function askAnvil({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
  return chain.call(method === 'eth_requestAccounts' ? 'eth_accounts' : method, ...params)
}

async function balance(): Promise<bigint> {
  return BigInt(await chain.call<string>('eth_getBalance', WITHDRAWAL, 'latest'))
}

async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  return readFileSync(await download.path(), 'utf8')
}
