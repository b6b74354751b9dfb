// Packages of Debian's archive, unpacked into folders of ours: this needs no root and changes nothing that is installed.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from './progress.mjs'

const ARCHIVE = 'http://deb.debian.org/debian/'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const NOTHING_BUT_DEPENDENCIES = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)

/** A folder that all checkouts of this user share; `make` fills it once, under a temporary name until it is complete. */
export async function cached(name, make) {
  const parent = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trestle')
  const folder = join(parent, name)
  if (existsSync(folder)) return folder
  mkdirSync(parent, { recursive: true })
  const unfinished = mkdtempSync(`${folder}.`)
  try {
    await make(unfinished)
    if (!existsSync(folder)) renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

/** Unpacks packages, and with `closure` all their dependencies, into the folder. */
export async function unpackPackages(folder, { suite, packages, closure = false }) {
  const work = join(folder, 'download')
  const apt = await aptOf(work, `deb ${suite}`)
  const names = closure ? [...new Set([...packages, ...dependenciesOf(packages, apt)])] : packages
  // apt downloads into the folder it runs in.
  await run(`Downloading ${packages.join(', ')}`, ['sh', '-c', 'cd "$0" && apt-get "$@"', work, ...apt, 'download', ...names], {
    log: 'debian-download',
  })
  for (const deb of readdirSync(work).filter((file) => file.endsWith('.deb'))) execFileSync('dpkg', ['-x', join(work, deb), folder])
  rmSync(work, { recursive: true })
}

/** Downloads a source package; returns the original upstream tarball. */
export async function downloadSource(folder, { suite, source }) {
  const apt = await aptOf(folder, `deb-src ${suite}`)
  const download = ['sh', '-c', 'cd "$0" && apt-get "$@"', folder, ...apt, 'source', '--download-only', source]
  await run(`Downloading the source of ${source}`, download, { log: 'debian-source' })
  return join(folder, globSync('*.orig.tar.*', { cwd: folder })[0])
}

/** The loader of the unpacked programs, which uses the unpacked libraries instead of the machine's. */
export function loaderOf(folder) {
  const [loader] = globSync('{,usr/}lib/*-linux-gnu*/ld-linux*.so.*', { cwd: folder })
  const libraries = globSync('{,usr/}lib/*-linux-gnu*', { cwd: folder }).map((each) => join(folder, each))
  return [join(folder, loader), '--library-path', libraries.join(':')]
}

/** Options for apt to read one suite of the archive, on lists and a cache of its own. */
async function aptOf(work, wanted) {
  const [types, suite] = wanted.split(' ')
  for (const each of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(work, each), { recursive: true })
  const file = join(work, `${suite}.sources`)
  writeFileSync(file, `Types: ${types}\nURIs: ${archive()}\nSuites: ${suite}\nComponents: main\nSigned-By: ${KEYRING}\n`)
  const settings = {
    'Dir::Etc::sourcelist': file,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(work, 'cache'),
    'APT::Sandbox::User': 'root',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  await run(`Reading what Debian ${suite} has`, ['apt-get', ...options, 'update'], { log: 'debian-update' })
  return options
}

/** The archive that the machine's own sources point to. */
function archive() {
  const query = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Label: Debian']
  return execFileSync('apt-get', query, { encoding: 'utf8' }).split('\n')[0] || ARCHIVE
}

function dependenciesOf(packages, apt) {
  const args = [...apt, 'depends', '--recurse', ...NOTHING_BUT_DEPENDENCIES, ...packages]
  const known = execFileSync('apt-cache', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  // A name in angle brackets is virtual; of another architecture, it has a colon.
  return known.match(/^[a-z0-9][a-z0-9+.-]+$/gm) ?? []
}
