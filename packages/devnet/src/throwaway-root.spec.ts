import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { throwawayRoot } from './throwaway-root.js'

describe(throwawayRoot, () => {
  let dir: string
  let mounts: string

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'root-'))
    mounts = join(dir, 'mounts')
  })

  afterAll(() => rmSync(dir, { recursive: true }))

  it.each([
    ['is not mounted', 'proc /proc proc rw 0 0\n'],
    ['is on a disk', 'dev /proc ext4 rw 0 0\n'],
    ['runs no programs', 'tmpfs /proc tmpfs rw,nosuid,noexec 0 0\n'],
    // What is at /proc has no blocks.
    ['is small', 'tmpfs /proc tmpfs rw,nosuid 0 0\n'],
  ])('is the usual folder if that in memory %s', (_, text) => {
    writeFileSync(mounts, text)
    expect(throwawayRoot('/proc', mounts)).toBe(tmpdir())
  })

  it('is the usual folder on a system without a list of mounts', () => {
    expect(throwawayRoot('/proc', join(dir, 'nothing'))).toBe(tmpdir())
  })

  it('is the folder in memory if that is large', () => {
    // The disk stands in for the memory: it is larger than 8 GiB wherever the tests run.
    writeFileSync(mounts, 'tmpfs / tmpfs rw 0 0\n')
    expect(throwawayRoot('/', mounts)).toBe('/')
  })
})
