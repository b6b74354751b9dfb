import { shownCode } from '../authenticator-app.js'
import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { newcomer, type Person, platform } from './platform.js'

// A passkey belongs to a name: a browser keeps none for 127.0.0.1.
const url = platform.ingress.replace('127.0.0.1', 'localhost')

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser(url)
})
afterAll(() => browser?.stop())

/** A visitor whose browser has an authenticator that answers by itself. */
async function withAuthenticator(): Promise<Visitor> {
  const visitor = await browser.visitor()
  const devtools = await visitor.context.newCDPSession(visitor.page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, automaticPresenceSimulation: true } })
  return visitor
}

async function signOut({ page, context }: Visitor): Promise<void> {
  await context.clearCookies()
  await page.goto('/app/account/sign-in')
}

async function enterPassword({ page }: Visitor, { email, password }: Person): Promise<void> {
  await page.goto('/app/account/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: false }).first().fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const isIn = ({ page }: Visitor) => page.waitForURL((to) => !to.pathname.includes('/account/'))

/** The recovery codes that are shown, after which they are put away. */
async function storeCodes({ page }: Visitor): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await codes.nth(9).waitFor()
  const shown = await codes.allTextContents()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  return shown
}

it('a user adds a passkey, and signs in with it, after the password and without', async () => {
  const grace = await newcomer('passkey')
  const visitor = await withAuthenticator()
  const { page } = visitor
  await visitor.signIn(grace)
  await page.goto('/app/settings')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the passkey').fill('Laptop')
  await dialog.getByLabel('Your password').fill(grace.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  expect(new Set(await storeCodes(visitor)).size).toBe(10)
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()
  expect(await visitor.screenshot('second-factors')).toEqual([])

  await signOut(visitor)
  await enterPassword(visitor, grace)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(visitor)

  await signOut(visitor)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await isIn(visitor)
  expect(visitor.complaints).toEqual([])
})

it('a user adds an authenticator app, loses it, and signs in with a recovery code', async () => {
  const ada = await newcomer('app')
  const visitor = await browser.visitor()
  const { page } = visitor
  await visitor.signIn(ada)
  await page.goto('/app/settings')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(ada.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
  const secret = await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()
  const code = (steps?: number) => shownCode(secret ?? '', steps)
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(code(-1))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const [recovery = ''] = await storeCodes(visitor)

  await signOut(visitor)
  await enterPassword(visitor, ada)
  await page.getByLabel('Code').fill(code())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await isIn(visitor)

  await signOut(visitor)
  await enterPassword(visitor, ada)
  await page.getByLabel('Code').fill(recovery)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await isIn(visitor)
  await page.goto('/app/settings')
  await page.getByText('9 recovery codes left.').waitFor()
  expect(visitor.complaints).toEqual([])
})

it('who knows the password cannot guess the code', async () => {
  const bob = await newcomer('guessed')
  const visitor = await withAuthenticator()
  const { page } = visitor
  await visitor.signIn(bob)
  await page.goto('/app/settings')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the passkey').fill('Phone')
  await dialog.getByLabel('Your password').fill(bob.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await storeCodes(visitor)

  const intruder = await browser.visitor()
  await enterPassword(intruder, bob)
  const alert = intruder.page.getByRole('alert')
  for (let attempt = 0; attempt < 12 && !(await alert.getByText('Too many').isVisible()); attempt++) {
    await intruder.page.getByLabel('Code').fill(String(100_000 + attempt))
    await intruder.page.getByRole('button', { name: 'Confirm' }).click()
    await alert.waitFor()
  }
  await alert.getByText('Too many').waitFor()
})
