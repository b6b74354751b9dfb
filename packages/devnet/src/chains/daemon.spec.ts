import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { daemonVersion, findDaemon } from './daemon.js'

describe(daemonVersion, () => {
  it.each([
    ['Bitcoin Core version v25.1.0', 'Bitcoin Core 25.1.0'],
    ['Bitcoin Core daemon version v29.0.0', 'Bitcoin Core 29.0.0'],
    ['Bitcoin Knots daemon version v29.4.3.knots20260508', 'Bitcoin Knots 29.4.3'],
    ['Litecoin Core version v0.21.2.1-gfce5d459f0a83f56a83059c5c69295d7745b51d2', 'Litecoin Core 0.21.2.1'],
  ])('of "%s" is %s', (line, version) => {
    expect(daemonVersion(line)).toBe(version)
  })
})

describe(findDaemon, () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'daemon-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  function program(name: string, says: string) {
    const file = join(dir, name)
    writeFileSync(file, `#!/bin/sh\n${says}\n`)
    chmodSync(file, 0o755)
    return file
  }

  it('takes the program a variable names, or the one on PATH', async () => {
    const named = program('my-node', "echo 'Bitcoin Core daemon version v29.0.0'")
    expect(await findDaemon('bitcoind', { BITCOIND: named })).toEqual({ name: 'bitcoind', command: named, version: 'Bitcoin Core 29.0.0' })
    const onPath = program('bitcoind', "echo 'Bitcoin Knots daemon version v29.4.3.knots20260508'")
    expect(await findDaemon('bitcoind', { PATH: dir })).toEqual({ name: 'bitcoind', command: onPath, version: 'Bitcoin Knots 29.4.3' })
  })

  it('refuses the bitcoind of another chain', async () => {
    const BITCOIND = program('bitcoind', "echo 'Bitcoin Cash Node Daemon version v27.1.0'")
    await expect(findDaemon('bitcoind', { BITCOIND })).rejects.toThrow(
      'is no bitcoind that Trestle knows: it says "Bitcoin Cash Node Daemon version',
    )
  })

  it('says what is missing, why it cannot be had, and what to do', async () => {
    await expect(findDaemon('bitcoind', { BITCOIND: '/nowhere' })).rejects.toThrow('BITCOIND names /nowhere, which is not a program.')
    const broken = program('broken', 'echo "version GLIBC_2.38 not found" >&2; exit 1')
    await expect(findDaemon('bitcoind', { BITCOIND: broken })).rejects.toThrow(`${broken} does not run: version GLIBC_2.38 not found`)
    await expect(findDaemon('bitcoind', { PATH: dir, XDG_CACHE_HOME: dir })).rejects.toThrow(
      "There is no bitcoind on this machine, and Debian's bitcoin-knots cannot be had (there is no apt-get here). Install Bitcoin Core",
    )
  })
})
