import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium as findChromium } from '@trestle/devnet/chromium'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

/** Where the pictures that a run takes are kept, to be looked at. */
const PICTURES = join(import.meta.dirname, '../screenshots')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDE = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

export type Browser = Awaited<ReturnType<typeof startBrowser>>
export type Visitor = Awaited<ReturnType<Browser['visitor']>>

/** A real browser, in front of a platform. */
export async function startBrowser(url: string) {
  const { command, env } = await findChromium()
  // Of a container's root the sandbox asks for more than it has.
  const browser = await chromium.launch({
    executablePath: command,
    env: { ...process.env, ...env } as Record<string, string>,
    args: ['--no-sandbox'],
  })
  mkdirSync(PICTURES, { recursive: true })
  return {
    /** Somebody with a browser of their own. */
    async visitor() {
      const context = await browser.newContext({ baseURL: url, viewport: WIDE, reducedMotion: 'reduce' })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      return { page, context, complaints: listen(context, page, url), ...actions(page) }
    },
    stop: () => browser.close(),
  }
}

function actions(page: Page) {
  return {
    async signIn({ email, password }: { email: string; password: string }) {
      await page.goto('/app/account/sign-in')
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: false }).first().fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL((to) => !to.pathname.includes('/account/'))
    },
    /** What axe finds serious on the page as it is. */
    violations: () => seriousOf(page, 'light'),
    /** Takes the page as it is: wide, dark and on a phone; gives what axe finds serious in either colours, and what leaves the screen sideways. */
    async screenshot(name: string): Promise<string[]> {
      const found: string[] = []
      // What still loads stands there as an outline.
      await page.locator('.mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' })
      for (const [look, scheme, viewport] of LOOKS) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme: scheme })
        await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
        await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`), fullPage: true })
        if (look !== 'phone') found.push(...(await seriousOf(page, scheme)).map((violation) => `${name}, ${look}: ${violation}`))
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        if (overflow > 0) found.push(`${name}, ${look}: ${overflow} pixels too wide`)
      }
      await page.setViewportSize(WIDE)
      await page.emulateMedia({ colorScheme: 'light' })
      return found
    },
  }
}

const LOOKS = [
  ['light', 'light', WIDE],
  ['dark', 'dark', WIDE],
  ['phone', 'light', PHONE],
] as const

async function seriousOf(page: Page, scheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(AXE)
  // In the dark nothing but the colours is another.
  const options = { resultTypes: ['violations'], ...(scheme === 'dark' && { runOnly: ['color-contrast'] }) }
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { target: string[] }[] }[]
}

/** What no page may do: fail in a script, break the Content Security Policy, ask anybody else. */
function listen(context: BrowserContext, page: Page, url: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(`an error: ${message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(`told: ${message.text()}`)
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) complaints.push(`asked ${request.url()}`)
  })
  return complaints
}
