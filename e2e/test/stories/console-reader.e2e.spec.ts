import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { newcomer, type Person, platform } from './platform.js'

let browser: Browser
let mary: Person
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
  mary = await newcomer('mary')
})
afterAll(() => browser?.stop())

describe('somebody who reads', () => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await browser.visitor()
    await visitor.signIn(mary)
  })
  afterAll(() => visitor.context.close())
  afterEach(() => expect(visitor.complaints.splice(0)).toEqual([]))

  it('looks up an address with a long history', async () => {
    const { page } = visitor
    const { address } = platform.chains['ltc'] ?? { address: '' }
    await page.goto('/app/bitcoin/ltc')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await visitor.screenshot('bitcoin')).toEqual([])
    await page.getByLabel('Height, block hash, transaction id or address').fill(address)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL(`**/address/${address}`)
    await page.getByRole('table').first().waitFor()
    expect(await visitor.screenshot('address')).toEqual([])
  })

  it('signs in again when the session ends, and returns to the same page', async () => {
    const { page } = visitor
    await page.goto('/app/activity?service=accounts')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await visitor.context.clearCookies()
    await page.goto('/app/settings')
    await page.waitForURL('**/app/account/sign-in?**')
    await page.getByLabel('Email address').fill(mary.email)
    await page.getByLabel('Password', { exact: false }).first().fill(mary.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/app/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await visitor.screenshot('settings')).toEqual([])
  })
})
