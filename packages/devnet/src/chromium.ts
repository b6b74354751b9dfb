import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { debianProgram } from './debian.js'
import { foldersOfPath, namedProgram, programIn } from './executable.js'

interface BrowserProgram {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const PACKAGE = {
  package: 'chromium-headless-shell',
  path: 'usr/lib/chromium/chromium-headless-shell',
  withLibraries: 'but no loader',
  alongside: ['chromium-common', 'fonts-dejavu-core'],
} as const

/** A Chromium for stories in a browser: `CHROMIUM`, on PATH, or Debian's, unpacked for us alone. */
export async function chromium(env: NodeJS.ProcessEnv = process.env): Promise<BrowserProgram> {
  const found = namedProgram('CHROMIUM', env) ?? NAMES.map((name) => programIn(foldersOfPath(env), name)).find((path) => path !== undefined)
  if (found) return { command: found, env: {} }
  const command = await debianProgram(PACKAGE, env).catch(askForIt)
  return { command, env: { FONTCONFIG_FILE: fontsFor(dirname(command)) } }
}

/** Fonts are where they were unpacked, which no configuration of the machine knows. */
function fontsFor(folder: string): string {
  const file = join(folder, 'fonts.conf')
  const [fonts, cache] = [join(folder, 'usr/share/fonts'), join(folder, 'fonts-cache')]
  writeFileSync(file, `<?xml version="1.0"?>\n<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`)
  return file
}

function askForIt(error: Error): never {
  throw new Error(`There is no Chromium on this machine (${error.message}). Install one, or set CHROMIUM to the program.`)
}
