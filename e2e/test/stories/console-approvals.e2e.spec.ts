import { accountSession } from '@trestle/sdk/token-source'
import { createTrestle } from '@trestle/sdk/trestle'
import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { linkMailedTo } from '../mailbox.js'
import { newcomer, type Person, platform } from './platform.js'

const GUEST = 'invited-alone@example.org'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
})
afterAll(() => browser?.stop())

describe('an organization that demands a second person', () => {
  let ada: Visitor
  let grace: Visitor
  beforeAll(async () => {
    const [founder, partner] = [await newcomer('four-eyes-founder'), await newcomer('four-eyes-partner')]
    await share(founder, partner)
    ada = await browser.visitor()
    await ada.signIn(founder)
    grace = await browser.visitor()
    await grace.signIn(partner)
    for (const { page } of [ada, grace]) {
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitemradio', { name: 'Vault' }).click()
    }
  })
  afterAll(async () => {
    await ada?.context.close()
    await grace?.context.close()
  })
  afterEach(() => {
    for (const each of [ada, grace]) expect(each?.complaints.splice(0)).toEqual([])
  })

  it('says so in a policy', async () => {
    const { page } = ada
    await page.goto('/app/organization/approvals')
    await page.getByLabel('Delete and restore nodes and clusters.').check()
    expect(await page.getByLabel('Invite and remove members, change their roles.').isChecked()).toBe(true)
    expect(await ada.screenshot('policy')).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
  })

  it('lets one ask, the other approve, and the first do it', async () => {
    const { page } = ada
    await withdraw()
    await page.getByText('A second person has to approve this, and was asked.').waitFor()
    const there = grace.page
    await there.goto('/app/organization/approvals')
    const row = there.getByRole('table', { name: 'Approvals of the last 30 days' }).getByRole('row').filter({ hasText: 'Pending' })
    await row.getByText('DELETE', { exact: false }).waitFor()
    expect(await grace.screenshot('approvals')).toEqual([])
    await row.getByRole('button', { name: 'Approve' }).click()
    await there.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await there.getByText('Approved').first().waitFor()
    await withdraw()
    await page.getByRole('cell', { name: GUEST }).waitFor({ state: 'detached' })
  })

  async function withdraw(): Promise<void> {
    const { page } = ada
    await page.goto('/app/organization')
    await page.getByRole('row').filter({ hasText: GUEST }).getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  }
})

/** An organization of two owners, with an open invitation. */
async function share(founder: Person, partner: Person): Promise<void> {
  const guest = createTrestle({ url: platform.ingress })
  const first = guest.with({ token: accountSession(guest, founder) })
  const second = guest.with({ token: accountSession(guest, partner) })
  const { id } = await first.accounts.organizations.create({ body: { name: 'Vault' } })
  await first.accounts.organizations.invite({ params: { id }, body: { email: partner.email, roles: ['owner'] } })
  const link = await linkMailedTo(partner.email, platform.mailbox, 'invitation')
  await second.accounts.organizations.accept({ params: { token: /invitation\/([^/?#]+)/.exec(link)?.[1] ?? '' } })
  await first.accounts.organizations.invite({ params: { id }, body: { email: GUEST, roles: ['viewer'] } })
}
