import { createTrestle } from '@trestle/sdk/trestle'
import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { linkMailedTo } from '../mailbox.js'
import { newcomer, type Person, platform } from './platform.js'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
})
afterAll(() => browser?.stop())

describe('two people in two organizations', () => {
  let [ada, grace]: Visitor[] = []
  let [owner, guest]: Person[] = []
  beforeAll(async () => {
    owner = await newcomer('team-owner')
    guest = await newcomer('team-guest')
    ada = await browser.visitor()
    await ada.signIn(owner)
    grace = await browser.visitor()
    await grace.signIn(guest)
    for (const name of ['Mills', 'Bridges']) await create(name)
    await choose(visitor(ada), 'Mills')
  })
  afterAll(async () => {
    await ada?.context.close()
    await grace?.context.close()
  })
  afterEach(() => {
    for (const each of [ada, grace]) expect(each?.complaints.splice(0)).toEqual([])
  })

  it('choose the organization by keyboard, in a menu that has only items', async () => {
    const { page, violations } = visitor(ada)
    await page.goto('/app')
    const account = page.getByRole('button', { name: 'Your account' })
    await account.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Settings' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await account.click()
    await page.getByRole('menuitemradio', { name: 'Mills', checked: true }).waitFor()
    expect(await violations()).toEqual([])
    expect(await visitor(ada).screenshot('account-menu')).toEqual([])
  })

  it('define a role, in words', async () => {
    const { page, screenshot } = visitor(ada)
    await page.goto('/app/organization/roles')
    await page.getByRole('button', { name: 'Create a role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('caretaker')
    await dialog.getByLabel('See nodes and clusters.').check()
    await dialog.getByLabel('See Ethereum projects, their usage and failed calls.').check()
    await dialog.getByLabel('Create, change and delete Ethereum projects.').check()
    await dialog.getByLabel('See what members and keys have done.').check()
    expect(await screenshot('role')).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('columnheader', { name: 'caretaker' }).waitFor()
    expect(await screenshot('organization-roles')).toEqual([])
  })

  it('invite, accept and give the role', async () => {
    const { page } = visitor(ada)
    await page.goto('/app/organization')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill(person(guest).email)
    await dialog.getByLabel('caretaker').check()
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('table', { name: 'Open invitations' }).getByText('caretaker').waitFor()
    const there = visitor(grace).page
    await there.goto(await linkMailedTo(person(guest).email, platform.mailbox, 'invitation'))
    await there.getByRole('button', { name: 'Accept the invitation' }).click()
    await there.getByRole('heading', { name: 'Mills' }).waitFor()
    await choose(visitor(grace), 'Mills')
    // The caretaker sees who may what, and changes nothing.
    await there.goto('/app/organization/roles')
    await there.getByRole('table', { name: 'Who may what' }).waitFor()
    expect(await there.getByRole('button', { name: 'Create a role' }).count()).toBe(0)
    expect(await there.getByRole('tab', { name: 'Service accounts' }).count()).toBe(0)
  })

  it('make a service account, and a key of it that may do little', async () => {
    const { page, screenshot } = visitor(ada)
    await page.goto('/app/organization/service-accounts')
    await page.getByRole('button', { name: 'Create a service account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('deployment')
    await dialog.getByLabel('Developer').check()
    await dialog.getByRole('button', { name: 'Create a service account' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('deployment').waitFor()
    expect(await screenshot('organization-service-accounts')).toEqual([])

    await page.getByRole('button', { name: 'Create a key for deployment' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('pipeline')
    for (const area of ['Nodes', 'Staking', 'Bitcoin data', 'Ethereum'])
      await dialog.getByLabel(`${area}: everything, also what is added later`).uncheck()
    await dialog.getByLabel('See nodes and clusters.').check()
    await dialog.getByLabel('Call nodes and clusters.').check()
    await dialog.getByLabel('Requests per second').fill('5')
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.0/24')
    expect(await screenshot('key-new')).toEqual([])
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('button', { name: 'I have copied the secret' }).click()
    const row = page.getByRole('row', { name: /pipeline/ })
    await row.getByText('Nodes: see, call').waitFor()
    await row.getByText('deployment').waitFor()
    expect(await screenshot('keys')).toEqual([])
  })

  it('edit the key, and rotate it with a day of grace', async () => {
    const { page, screenshot } = visitor(ada)
    await page.goto('/app/keys')
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Requests per day').fill('1000')
    await dialog.getByLabel('Allowed addresses').fill('')
    expect(await screenshot('key-edit')).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1,000 a day').waitFor()
    await page.getByText('any address').waitFor()
    await page.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByText(/The old secret works until/).waitFor()
    await page.getByRole('button', { name: 'I have copied the secret' }).click()
  })

  it('delete a node, restore it, and give it away', async () => {
    const id = await nodeOf('Mills')
    const { page, screenshot } = visitor(ada)
    await page.goto(`/app/nodes/${id}/settings`)
    await page.getByRole('region', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(id)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/app/nodes')
    await page.goto('/app/deleted')
    await page.getByText(/7[12] hours left/).waitFor()
    expect(await screenshot('deleted')).toEqual([])
    await page.getByRole('button', { name: `Restore ${id}` }).click()
    await page.getByText(/7[12] hours left/).waitFor({ state: 'detached' })

    await page.goto(`/app/nodes/${id}/settings`)
    await page.getByRole('combobox', { name: 'Organization' }).click()
    await page.getByRole('option', { name: 'Bridges' }).click()
    expect(await screenshot('transfer')).toEqual([])
    await page.getByRole('button', { name: 'Transfer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click()
    await page.waitForURL('**/app/nodes')
    await page.getByText('No nodes yet').waitFor()
    await choose(visitor(ada), 'Bridges')
    await page.goto(`/app/nodes/${id}/settings`)
    await page.getByRole('region', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(id)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.goto('/app/deleted')
    await page.getByRole('button', { name: 'Delete for good' }).click()
    const purge = page.getByRole('dialog').getByRole('button', { name: 'Delete for good' })
    expect(await purge.isDisabled()).toBe(true)
    await page.getByRole('dialog').getByRole('textbox').fill(id)
    await purge.click()
    await page.getByText(/hours left/).waitFor({ state: 'detached' })
    await choose(visitor(ada), 'Mills')
  })

  it('share a project, which stays when its creator leaves, as does who made it', async () => {
    const there = visitor(grace).page
    await there.goto('/app/ethereum/eth/new')
    await there.getByLabel('Name').fill('Wheel')
    await there.getByRole('button', { name: 'Create' }).click()
    await there.getByRole('heading', { name: 'Wheel' }).waitFor()
    await there.goto('/app/organization')
    await there.getByRole('button', { name: 'Leave' }).click()
    await there.getByRole('dialog').getByText('What you created stays there.').waitFor()
    await there.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await there.getByRole('heading', { name: 'Create an organization' }).waitFor()

    const { page, screenshot } = visitor(ada)
    await page.goto('/app/ethereum/eth')
    await page.getByText('Wheel').waitFor()
    await page.goto('/app/activity')
    await page.getByText('Mills', { exact: true }).click()
    await page.getByRole('row', { name: /team-guest \(left\).*POST \/projects/ }).waitFor()
    expect(await screenshot('activity-organization')).toEqual([])
  })

  it('dissolve an organization, after what happens is said', async () => {
    const { page, screenshot } = visitor(ada)
    await page.goto('/app/organization')
    await page.getByRole('button', { name: 'Delete organization' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/go to your personal organization and keep running/).waitFor()
    expect(await screenshot('organization-dissolve')).toEqual([])
    await dialog.getByRole('textbox').fill('Mills')
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
    await page.getByRole('heading', { name: 'Bridges' }).waitFor()
    await page.goto('/app/ethereum/eth')
    await page.getByText('Wheel').waitFor()
  })

  async function create(name: string): Promise<void> {
    const { page } = visitor(ada)
    await page.goto('/app/organization?new=1')
    await page.getByLabel('Organization name').fill(name)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('heading', { name }).waitFor()
  }

  /** A node of the organization, without the steps of its page, which another story takes. */
  async function nodeOf(name: string): Promise<string> {
    const { email: username, password } = person(owner)
    const open = createTrestle({ url: platform.ingress })
    const { accessToken: token } = await open.accounts.sessions.signIn({ basic: { username, password } })
    const trestle = createTrestle({ url: platform.ingress, token })
    const found = (await trestle.accounts.organizations.list()).find((each) => each.name === name)
    const organization = createTrestle({ url: platform.ingress, token, organization: found?.id })
    const { id } = await organization.nodes.nodes.create({ body: { image: 'ltc' } })
    return id
  }

  async function choose({ page }: Visitor, name: string): Promise<void> {
    await page.goto('/app')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
})

function visitor(each: Visitor | undefined): Visitor {
  if (!each) throw new Error('Nobody is here yet.')
  return each
}

function person(each: Person | undefined): Person {
  if (!each) throw new Error('Nobody is here yet.')
  return each
}
