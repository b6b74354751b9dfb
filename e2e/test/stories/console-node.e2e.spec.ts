import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { newcomer, platform } from './platform.js'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
})
afterAll(() => browser?.stop())

describe('somebody with a node', () => {
  let linus: Visitor
  beforeAll(async () => {
    linus = await browser.visitor()
    await linus.signIn(await newcomer('linus'))
  })
  afterAll(() => linus.context.close())
  afterEach(() => expect(linus.complaints.splice(0)).toEqual([]))

  it('creates one, watches it become ready, calls it, and deletes it', async () => {
    const { page } = linus
    await page.goto('/app/nodes/new')
    await page
      .getByRole('radio', { name: /Litecoin/ })
      .first()
      .check()
    expect(await linus.screenshot('node-wizard')).toEqual([])
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/\/app\/nodes\/node-/)
    await page.getByText('Ready', { exact: true }).first().waitFor()
    expect(await linus.screenshot('node')).toEqual([])
    const id = new URL(page.url()).pathname.split('/')[3] ?? ''

    await page.goto(`/app/nodes/${id}/connect`)
    await page.getByRole('button', { name: 'Show password' }).click()
    expect(await linus.screenshot('node-connect')).toEqual([])
    const own = { headers: { 'x-trestle-console': '1' } }
    const node = (await (await page.request.get(`/api/nodes/users/me/nodes/${id}`, own)).json()) as {
      url: string
      auth: { user: string; pass: string }
    }
    await page.getByText(node.auth.pass).first().waitFor()
    const answer = await fetch(node.url, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${node.auth.user}:${node.auth.pass}`)}` },
      body: '{"method":"getblockchaininfo"}',
    })
    expect(await answer.json()).toMatchObject({ result: { chain: 'regtest' } })

    for (const tab of ['logs', 'metrics', 'settings']) {
      await page.goto(`/app/nodes/${id}/${tab}`)
      await page.getByRole('tab', { selected: true }).waitFor()
      expect(await linus.screenshot(`node-${tab}`)).toEqual([])
    }
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(id)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/app/nodes')
    await page.getByText('No nodes yet').waitFor()
  })

  it('creates a cluster, starts a change of its service, cancels the change, and deletes the cluster', async () => {
    const { page } = linus
    await page.goto('/app/clusters/new')
    await page
      .getByRole('radio', { name: /Litecoin/ })
      .first()
      .check()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/\/app\/clusters\/cluster-/)
    await page.getByText('2 of 2').first().waitFor()
    expect(await linus.screenshot('cluster')).toEqual([])
    const { pathname } = new URL(page.url())
    const id = pathname.split('/')[3] ?? ''

    await page.goto(`/app/clusters/${id}/settings`)
    await page.getByLabel('Service', { exact: true }).selectOption({ index: 1 })
    // Nodes are replaced one at a time, which leaves time to cancel.
    await page.getByLabel('Number of nodes').fill('6')
    await page.getByRole('button', { name: 'Apply change' }).click()
    await page.getByText('Change in progress').waitFor()
    await page.getByRole('button', { name: 'Cancel change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel change' }).click()
    await page.getByText('Change in progress').waitFor({ state: 'detached' })

    await page.goto(`/app/clusters/${id}/settings`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(id)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/app/clusters')
    await page.getByText('No clusters yet').waitFor()
  })
})
