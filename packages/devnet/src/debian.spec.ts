import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianProgram } from './debian.js'

// An apt that has one package with one library, and a dpkg that unpacks it. They write down what they are asked for.
const APT_GET = `#!/bin/sh
echo "apt-get $*" >> "$LOG"
case "$*" in
  *update*) [ -z "$OFFLINE" ] || { echo 'E: Failed to fetch http://archive/InRelease  No route' >&2; exit 100; } ;;
  *indextargets*) echo http://archive/ ;;
  *download*) [ -z "$OFFLINE$UNKNOWN" ] || { echo 'E: Unable to locate package' >&2; exit 100; }; touch all.deb ;;
esac`
const APT_CACHE = `#!/bin/sh
case "$*" in
  *--recurse*) printf 'libone\\n  Depends: libtwo\\n  Depends: libc6\\nlibc6\\nlibtwo\\n  Depends: <virtual>\\n  Depends: passwd\\npasswd\\n' ;;
  *) printf 'daemon\\n |Depends: systemd\\n  Depends: libone\\n  PreDepends: passwd\\n' ;;
esac`
const DPKG = `#!/bin/sh
mkdir -p "$3/usr/bin" "$3/usr/lib/x86_64-linux-gnu"
printf '#!/bin/sh\\necho started "$@"\\n' > "$3/usr/bin/daemon"
touch "$3/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"`

const DAEMON = { package: 'daemon', path: 'usr/bin/daemon' }

describe(debianProgram, () => {
  let dir: string
  let env: NodeJS.ProcessEnv
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'debian-'))
    const bin = join(dir, 'bin')
    mkdirSync(bin)
    for (const [name, script] of Object.entries({ 'apt-get': APT_GET, 'apt-cache': APT_CACHE, dpkg: DPKG })) {
      writeFileSync(join(bin, name), script)
      chmodSync(join(bin, name), 0o755)
    }
    env = { PATH: `${bin}:${process.env.PATH}`, XDG_CACHE_HOME: join(dir, 'cache'), LOG: join(dir, 'log') }
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  const asked = () => readFileSync(join(dir, 'log'), 'utf8')
  const cached = () => readdirSync(join(dir, 'cache/trestle'))

  it('unpacks a package once, and leaves nothing else behind', async () => {
    const command = await debianProgram(DAEMON, env)
    expect(command).toBe(join(dir, `cache/trestle/daemon-${process.arch}/usr/bin/daemon`))
    expect(existsSync(command)).toBe(true)
    const before = asked()
    expect(await debianProgram(DAEMON, env)).toBe(command)
    expect(asked()).toBe(before)
    expect(cached()).toEqual([`daemon-${process.arch}`])
    expect(readdirSync(join(dir, 'cache/trestle', `daemon-${process.arch}`))).toEqual(['usr'])
  })

  it('never touches what is installed, nor the lists of the machine', async () => {
    await debianProgram(DAEMON, env)
    for (const line of asked().trim().split('\n')) {
      expect(line).toMatch(/-o Dir::State::status=\/dev\/null /)
      expect(line).toMatch(/-o Dir::State::Lists=\S+cache\/trestle\//)
    }
  })

  it('takes the libraries along, and starts the program with them', async () => {
    const command = await debianProgram({ ...DAEMON, withLibraries: 'and loader' }, env)
    expect(asked()).toMatch(/download daemon libone libc6 libtwo$/m)
    const folder = join(dir, 'cache/trestle', `daemon-${process.arch}`)
    const libraries = join(folder, 'usr/lib/x86_64-linux-gnu')
    expect(readFileSync(command, 'utf8').split('\n')[1]).toBe(
      `exec '${libraries}/ld-linux-x86-64.so.2' --library-path '${libraries}' '${folder}/usr/bin/daemon' "$@"`,
    )
  })

  it('leaves the loader and its C library to the machine where the program starts itself again', async () => {
    const command = await debianProgram({ ...DAEMON, withLibraries: 'but no loader', alongside: ['fonts'] }, env)
    expect(asked()).toMatch(/download daemon libone libtwo fonts$/m)
    const folder = join(dir, 'cache/trestle', `daemon-${process.arch}`)
    expect(readFileSync(command, 'utf8').split('\n')[1]).toBe(
      `LD_LIBRARY_PATH='${folder}/usr/lib/x86_64-linux-gnu' exec '${folder}/usr/bin/daemon' "$@"`,
    )
  })

  it('reads another suite from the archive the machine uses', async () => {
    await debianProgram({ ...DAEMON, suite: 'sid' }, env)
    expect(asked()).toMatch(/-o Dir::Etc::sourcelist=\S+\/sid\.sources -o Dir::Etc::sourceparts=- download daemon$/m)
  })

  it.each([
    ['the network is away', { OFFLINE: '1' }, 'Failed to fetch http://archive/InRelease  No route'],
    ['there is no such package', { UNKNOWN: '1' }, 'Unable to locate package'],
    ['there is no apt', { PATH: '/nowhere' }, 'there is no apt-get here'],
  ])('says why when %s, and leaves nothing behind', async (_title, change, reason) => {
    await expect(debianProgram(DAEMON, { ...env, ...change })).rejects.toThrow(reason)
    expect(cached()).toEqual([])
  })
})
