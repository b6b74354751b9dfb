import { createTrestle } from '@trestle/sdk/trestle'
import { type Browser, startBrowser, type Visitor } from './browser.js'
import { startTestPlatform, type TestPlatform } from './platform.js'

const PASSWORD = 'three quiet owls at noon'
const BILLING = { country: 'GB', zipCode: 'W1', address: 'St James Square 12', state: 'London' }

describe('a platform that asks for a proof of work', () => {
  let platform: TestPlatform
  let browser: Browser
  let ada: Visitor
  beforeAll(async () => {
    platform = await startTestPlatform('console')
    await platform.restart('accounts', { REGISTRATION_PROOF_OF_WORK: 'on' })
    browser = await startBrowser(platform.info.ingress)
    ada = await browser.visitor()
  })
  afterAll(async () => {
    await browser?.stop()
    await platform?.stop()
  })

  it('signs up who uses the console, whose page computes the proof and still reacts meanwhile', async () => {
    const { page } = ada
    await page.goto('/app/account/sign-up')
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password', { exact: false }).first().fill(PASSWORD)
    await page.getByLabel('Your name or company name').fill('Ada')
    await page.getByLabel('Country').first().fill('United K')
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await page.getByLabel('Street address').fill('12 St James Square')
    const refusal = page.waitForResponse((response) => response.status() === 403)
    await page.evaluate(COUNT_FRAMES)
    await page.getByLabel('Street address').press('Enter')
    expect(await (await refusal).json()).toMatchObject({ code: 'ProofOfWorkRequired', proofOfWork: { difficulty: 17 } })
    // The work may take a busy machine several times as long as its average.
    await page.getByRole('heading', { name: 'Check your email' }).waitFor({ timeout: 60_000 })
    // A page that is blocked draws nothing until the end.
    expect(await page.evaluate<number>('window.longestFrameMs')).toBeLessThan(1000)
    expect(await platform.verificationToken('ada@example.org')).toMatch(/^[0-9a-f-]{36}$/)
    // Nothing broke the Content-Security-Policy.
    expect(ada.complaints).toEqual([])
  })

  it('signs up who uses the sdk', async () => {
    const { users } = createTrestle({ url: platform.info.ingress }).accounts
    const body = { email: 'grace@example.org', password: PASSWORD, displayName: 'Grace', billingAddress: BILLING }
    expect(await users.register({ body })).toMatchObject({ status: 'verificationSent' })
  })
})

const COUNT_FRAMES = `
  window.longestFrameMs = 0
  let last = performance.now()
  const next = () => {
    const now = performance.now()
    window.longestFrameMs = Math.max(window.longestFrameMs, now - last)
    last = now
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
`
