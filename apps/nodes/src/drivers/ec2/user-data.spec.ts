import { execFileSync } from 'node:child_process'
import { parse } from 'yaml'
import { Blueprint } from '../../catalogue/blueprint.js'
import { builtInCatalogue } from '../../catalogue/catalogue.js'
import { specFingerprintOf, userDataOf } from './user-data.js'

const named = builtInCatalogue('aws-ec2').map((blueprint) => [`${blueprint.chain} ${blueprint.performance}`, blueprint] as const)
const [[, first]] = named as [[string, Blueprint]]
const wanted = (blueprint: Blueprint, password = 'a password of the test') => ({ id: 'node-1', blueprint, running: true, password })

describe(userDataOf, () => {
  it.each(named)('is valid for cloud-init and without a secret, for %s', (_, blueprint) => {
    const text = userDataOf(wanted(blueprint))
    expect(text.split('\n')[0]).toBe('#cloud-config')
    expect(text).not.toContain('a password of the test')
    // Amazon takes no more.
    expect(text.length).toBeLessThan(16 * 1024)
    const { write_files: files, runcmd } = parse(text) as { write_files: { path: string; content: string }[]; runcmd: string[][] }
    expect(files.map(({ path }) => path)).toContain('/etc/systemd/system/trestle-node.service')
    expect(runcmd.at(-1)).toEqual(['systemctl', 'enable', '--now', '--no-block', 'trestle-node.service'])
  })

  it('contains a valid shell script', () => {
    const { write_files: files } = parse(userDataOf(wanted(first))) as { write_files: { path: string; content: string }[] }
    const script = files.find(({ path }) => path.endsWith('/trestle-disk'))?.content ?? ''
    execFileSync('sh', ['-n'], { input: script })
  })
})

describe(specFingerprintOf, () => {
  it('is the same for the same machine, and differs with any part of it', () => {
    expect(specFingerprintOf(wanted(first))).toBe(specFingerprintOf(wanted(first)))
    expect(specFingerprintOf(wanted(first, 'another'))).not.toBe(specFingerprintOf(wanted(first)))
    expect(specFingerprintOf(wanted({ ...first, instanceType: 'm6i.4xlarge' }))).not.toBe(specFingerprintOf(wanted(first)))
    expect(specFingerprintOf(wanted({ ...first, diskGiB: 4096 }))).toBe(specFingerprintOf(wanted(first)))
  })
})
