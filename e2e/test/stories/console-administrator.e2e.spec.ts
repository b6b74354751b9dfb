import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Browser, startBrowser, type Visitor } from '../browser.js'
import { platform } from './platform.js'

let browser: Browser
let admin: Visitor
beforeAll(async () => {
  browser = await startBrowser(platform.ingress)
  admin = await browser.visitor()
  await admin.signIn(platform.admin)
})
afterAll(() => browser?.stop())

it('an administrator finds users, services and mails', async () => {
  for (const name of ['users', 'services', 'mails']) {
    await admin.page.goto(`/app/administration/${name}`)
    await admin.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await admin.screenshot(`administration-${name}`)).toEqual([])
  }
  expect(admin.complaints).toEqual([])
})

it('an administrator grants a user limits for Ethereum projects, and revokes them', async () => {
  const { page } = admin
  await page.goto(`/app/administration/users/${platform.demo.userId}`)
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'highest limits of a project' }) }).first()
  await section.getByLabel('Per second').fill('123456')
  await section.getByRole('button', { name: 'Grant limits' }).click()
  await section.getByRole('button', { name: 'Revoke' }).waitFor()
  expect(await admin.screenshot('administration-user')).toEqual([])
  await page.reload()
  await section.getByRole('button', { name: 'Revoke' }).waitFor()
  expect(await section.getByLabel('Per second').inputValue()).toBe('123,456')
  await section.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await section.getByText('the limits of the platform apply').waitFor()
  expect(admin.complaints).toEqual([])
})

it('an administrator retries one dead letter and discards another', async () => {
  const { page } = admin
  await addDeadLetter({ activities: [RECORD] })
  await addDeadLetter({ activities: 'none' })
  await page.goto('/app')
  await page.getByRole('link', { name: 'Dead letters in accounts' }).click()
  const letters = page.getByRole('table', { name: 'Dead letters' })
  await letters.getByText('shop.activity.recorded').nth(1).waitFor()
  for (const name of SERVICES) await page.getByRole('table', { name: 'Outbox' }).getByRole('cell', { name, exact: true }).waitFor()
  expect(await admin.screenshot('administration-delivery')).toEqual([])

  await page.getByRole('button', { name: 'Retry all' }).click()
  await page.getByText('1 processed, 1 failed again.').waitFor()

  await addDeadLetter({ activities: [RECORD] })
  await page.reload()
  await letters.getByText('shop.activity.recorded').nth(1).waitFor()
  const letter = page.getByRole('dialog')
  // The newest comes first.
  await letters.getByRole('button').first().click()
  await letter.getByText(RECORD.id).waitFor()
  expect(await admin.screenshot('administration-dead-letter')).toEqual([])
  await letter.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Event processed.').waitFor()
  await letter.waitFor({ state: 'detached' })

  await letters.getByRole('button').first().click()
  await letter.getByRole('button', { name: 'Retry' }).click()
  await letter.getByRole('alert').getByText('The consumer failed again').waitFor()
  await letter.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Event discarded.').waitFor()
  await letter.waitFor({ state: 'detached' })
  await page.getByText('No dead letters.').waitFor()
  expect(admin.complaints).toEqual([])
})

const SERVICES = ['accounts', 'staking', 'nodes', 'btc', 'ltc', 'eth']

const NOW = new Date().toISOString()
const RECORD = {
  id: `event-${randomUUID()}`,
  user: `user-${randomUUID()}`,
  service: 'shop',
  input: {},
  output: { startTime: NOW, endTime: NOW, httpStatusCode: 200, bytesOut: 2 },
  serviceData: {},
  createdAt: NOW,
}

async function addDeadLetter(fact: object): Promise<void> {
  const db = new pg.Client(platform.postgres)
  await db.connect()
  await db.query(
    `INSERT INTO accounts.dead_letter (consumer, message_id, subject, body, error, attempts)
     VALUES ('accounts-events', gen_random_uuid(), 'shop.activity.recorded', $1, 'InternalError: value too long for type character varying(100)', 20)`,
    [Buffer.from(JSON.stringify(fact))],
  )
  await db.end()
}
