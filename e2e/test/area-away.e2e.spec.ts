import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { type Browser, startBrowser, type Visitor } from './browser.js'
import { startTestPlatform, type TestPlatform } from './platform.js'

// What people see of an area that is killed, and of one that was never deployed.

let platform: TestPlatform
let browser: Browser
let demo: Visitor
beforeAll(async () => {
  platform = await startTestPlatform('nodes', 'console')
  browser = await startBrowser(platform.info.ingress)
  demo = await browser.visitor()
  await demo.signIn(platform.info.demo)
})
afterAll(async () => {
  await browser?.stop()
  await platform?.stop()
})

it('a page says which area is away, and all others go on; it is whole again once the area is back', async () => {
  const { page } = demo
  platform.kill('nodes', 'SIGKILL')
  await page.goto('/app/nodes')
  await page.getByRole('alert').first().waitFor()
  expect(await demo.screenshot('area-away')).toEqual([])
  await page.goto('/app/keys')
  await page.getByRole('heading', { name: 'Client keys' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await platform.restart('nodes')
  await page.goto('/app/nodes')
  await page.getByText('No nodes yet').waitFor()
})

it('an area that does not run here answers with a problem that names it', async () => {
  const answer = await fetch(`${platform.info.ingress}/staking/ethereum/chains`)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ code: 'ServiceNotDeployed', detail: expect.stringContaining('staking') })
})

it('the console serves no page at the paths of areas, running or not', async () => {
  for (const { basePath } of DEPLOYMENTS.filter(({ app }) => app !== 'console')) {
    const response = await fetch(`${platform.info.ingress}${basePath}/nothing-here`, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).not.toContain('text/html')
  }
})
