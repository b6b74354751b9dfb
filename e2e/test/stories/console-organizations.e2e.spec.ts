import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { newcomer, platform } from './platform.js'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
})
afterAll(() => browser?.stop())

describe('somebody in two organizations', () => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await browser.visitor()
    await visitor.signIn(await newcomer('two-hats'))
  })
  afterAll(() => visitor.context.close())
  afterEach(() => expect(visitor.complaints.splice(0)).toEqual([]))

  it('chooses in the account menu which one the pages are about', async () => {
    const { page } = visitor
    await create('Engines', true)
    await create('Looms')
    await page.getByRole('heading', { name: 'Looms' }).waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name: 'Looms', checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: 'Engines' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto('/app/organization')
    await page.getByRole('heading', { name: 'Engines' }).waitFor()
  })

  it('makes a key of the organization, which the personal one does not have', async () => {
    const { page } = visitor
    await page.goto('/app/keys')
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('loader')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByRole('table').getByText('loader').waitFor()
    await choose('Personal')
    await page.goto('/app/keys')
    await page.getByText('No keys yet').waitFor()
    await choose('Engines')
    await page.goto('/app/keys')
    await page.getByRole('table').getByText('loader').waitFor()
  })

  async function create(name: string, isFirst = false): Promise<void> {
    const { page } = visitor
    await page.goto(isFirst ? '/app/organization' : '/app/organization?new=1')
    await page.getByLabel('Organization name').fill(name)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('heading', { name }).waitFor()
  }

  async function choose(name: string): Promise<void> {
    const { page } = visitor
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
})
