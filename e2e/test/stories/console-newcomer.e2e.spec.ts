import type { Page, Request } from 'playwright-core'
import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { linkMailedTo } from '../mailbox.js'
import { platform } from './platform.js'

const PASSWORD = 'three quiet owls at noon'
// What a first visit may load of scripts, compressed (the promise of docs/console.md).
const FIRST_LOAD_BYTES = 250_000

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
})
afterAll(() => browser?.stop())

describe('a newcomer', () => {
  let ada: Visitor
  beforeAll(async () => {
    ada = await browser.visitor()
  })
  afterAll(() => ada.context.close())
  afterEach(() => expect(ada.complaints.splice(0)).toEqual([]))

  it('signs up, verifies the address from the mailbox, and signs in', async () => {
    const { page } = ada
    await page.goto('/')
    await page.waitForURL('**/app/account/sign-in?**')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    expect(await ada.screenshot('sign-up')).toEqual([])
    await page.getByLabel('Email address').fill('charles@example.org')
    await page.getByLabel('Password', { exact: false }).first().fill(PASSWORD)
    await page.getByLabel('Your name or company name').fill('Ada')
    await page.getByLabel('Country').first().fill('United K')
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await page.getByLabel('Street address').fill('12 St James’s Square')
    await page.getByLabel('Street address').press('Enter')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open the development mailbox' }).getAttribute('href')).toContain('/accounts/dev/mailbox')

    await page.goto(await linkMailedTo('charles@example.org', platform.mailbox, 'verify'))
    await page.getByRole('button', { name: 'Verify my address' }).click()
    await page.getByText('Your email address is verified').waitFor()
    await ada.signIn({ email: 'charles@example.org', password: PASSWORD })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await expectAllLoaded(page)
    expect(await ada.screenshot('overview')).toEqual([])
  })

  it('sees the platform’s message for a wrong password', async () => {
    const visitor = await browser.visitor()
    await visitor.page.goto('/app/account/sign-in')
    await visitor.page.getByLabel('Email address').fill('charles@example.org')
    await visitor.page.getByLabel('Password', { exact: false }).first().fill('wrong')
    await visitor.page.getByRole('button', { name: 'Sign in' }).click()
    await visitor.page.getByRole('alert').waitFor()
    expect(await visitor.screenshot('sign-in-refused')).toEqual([])
    await visitor.context.close()
  })

  it('loads few scripts, and keeps no token that a script could read', async () => {
    const visitor = await browser.visitor()
    const scripts: Request[] = []
    visitor.page.on('requestfinished', (request) => request.resourceType() === 'script' && scripts.push(request))
    await visitor.signIn({ email: 'charles@example.org', password: PASSWORD })
    await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor()
    const sizes = await Promise.all(scripts.map((request) => request.sizes()))
    const total = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
    const kept = await visitor.page.evaluate<string[]>('[document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)]')
    expect(kept.join()).not.toContain('ey')
    const [cookie] = await visitor.context.cookies()
    expect(cookie).toMatchObject({ name: 'trestle', httpOnly: true, sameSite: 'Strict' })
    await visitor.context.close()
  })

  it('creates a client key, whose secret is shown once', async () => {
    const { page } = ada
    await page.goto('/app/keys')
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    await page.getByLabel('Name').fill('first program')
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    expect(await ada.screenshot('key')).toEqual([])
    await page.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByRole('table').getByText('first program').waitFor()
    expect(await ada.screenshot('keys')).toEqual([])
  })

  it('makes a first JSON-RPC call in the playground', async () => {
    const { page } = ada
    await page.goto('/app/ethereum/eth/new')
    await page.getByLabel('Name').fill('first project')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'first project' }).waitFor()
    expect(await ada.screenshot('project')).toEqual([])
    await page.getByRole('link', { name: 'Try it in the playground' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Succeeded').first().waitFor()
    expect(await ada.screenshot('playground')).toEqual([])
  })

  it('finds out why a call failed, by the request id of its answer', async () => {
    const { page } = ada
    await page.goto('/app/ethereum/eth')
    await page.getByRole('link', { name: 'first project' }).click()
    await page.getByRole('heading', { name: 'first project' }).waitFor()
    const url = `${platform.ingress}/eth/v1/${new URL(page.url()).pathname.split('/').at(-1)}`
    const requestId = await failingCall(url, 'eth_call', { data: '0x60006000fd' }, 'latest')
    await failingCall(url, 'eth_getBalance', '0x1')
    await failingCall(url, 'eth_mine')
    await page.getByRole('tab', { name: 'Errors' }).click()
    await page.getByRole('table', { name: 'By method and code' }).getByText('Reverted').waitFor()
    await page.getByRole('table', { name: 'Recent failures' }).getByText('eth_mine', { exact: true }).waitFor()
    expect(await ada.screenshot('project-errors')).toEqual([])
    await page.getByLabel('Request ID').fill(requestId)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('table', { name: 'Recent failures' }).getByText('eth_mine', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Details of eth_call/ }).click()
    await page.getByRole('dialog').getByText('0x60006000fd').waitFor()
    expect(await ada.screenshot('project-failure')).toEqual([])
  })

  it('finds all of it in the activity', async () => {
    const { page } = ada
    await page.goto('/app/activity')
    await page.getByText('/users/me/client-keys').first().waitFor()
    expect(await ada.screenshot('activity')).toEqual([])
  })
})

/** The request id of its answer. */
async function failingCall(url: string, method: string, ...params: unknown[]): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
  expect(await answer.json()).toHaveProperty('error')
  return answer.headers.get('x-request-id') ?? ''
}

/** The prerendered page has no data: calls bring it. */
async function expectAllLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Platform' }).waitFor()
  for (const words of ['Checking…', 'Checking']) await page.getByText(words, { exact: true }).first().waitFor({ state: 'detached' })
}
