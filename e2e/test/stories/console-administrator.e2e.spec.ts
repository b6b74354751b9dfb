import { type Browser, startBrowser } from '../browser.js'
import { platform } from './platform.js'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
})
afterAll(() => browser?.stop())

it('an administrator finds users, services and mails', async () => {
  const admin = await browser.visitor()
  await admin.signIn(platform.admin)
  for (const name of ['users', 'services', 'mails']) {
    await admin.page.goto(`/app/administration/${name}`)
    await admin.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await admin.portrait(`administration-${name}`)).toEqual([])
  }
  expect(admin.complaints).toEqual([])
  await admin.context.close()
})
