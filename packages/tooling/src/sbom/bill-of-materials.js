// A CycloneDX bill of materials of one app: what its image ships, from the lockfile.

/**
 * The packages that an app ships, ours and others', itself first: name, version, integrity, and what each needs in turn, by package URL.
 * `bundled` names the development dependencies that a bundler copies into the app; packages for another `platform` are left out.
 */
export function shippedPackages(lockfile, importer, { bundled, platform }) {
  const shipped = new Map()
  addFolder(importer)
  return [...shipped.values()]

  function addFolder(folder) {
    const url = workspaceUrl(folder)
    if (shipped.has(url)) return url
    const found = { url, folder, needs: [] }
    shipped.set(url, found)
    const { devDependencies = {}, ...manifest } = lockfile.importers[folder]
    const copied = folder === importer ? Object.entries(devDependencies).filter(([name]) => bundled.includes(name)) : []
    for (const [name, { version }] of [...runtimeDependencies(manifest), ...copied])
      found.needs.push(
        version.startsWith('link:') ? addFolder(resolveFolder(folder, version.slice('link:'.length))) : addPackage(name, version),
      )
    found.needs = found.needs.filter(Boolean)
    return url
  }

  function addPackage(alias, reference) {
    // A version with its peers, `1.2.3(peer@4.5.6)`, or under another name, `name@1.2.3`.
    const key = lockfile.snapshots[reference] ? reference : `${alias}@${reference}`
    const id = key.replace(/\(.*$/, '')
    if (!runsOn(lockfile.packages[id], platform)) return undefined
    const at = id.lastIndexOf('@')
    const [name, version] = [id.slice(0, at), id.slice(at + 1)]
    const url = packageUrl(name, version)
    if (shipped.has(url)) return url
    const found = { url, name, version, integrity: lockfile.packages[id].resolution.integrity, needs: [] }
    shipped.set(url, found)
    for (const [dependency, next] of runtimeDependencies(lockfile.snapshots[key])) found.needs.push(addPackage(dependency, next))
    found.needs = found.needs.filter(Boolean)
    return url
  }
}

/** The bill of materials, in CycloneDX 1.6. `licenseOf` maps the name and version of a package to an SPDX expression. */
export function billOfMaterials({ app, packages, licenseOf, time, serialNumber }) {
  const [root, ...others] = packages
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serialNumber}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: 'application', 'bom-ref': root.url, name: app },
    },
    components: others.map((one) => component(one, licenseOf)),
    dependencies: packages.map(({ url, needs }) => ({ ref: url, dependsOn: [...new Set(needs)].sort() })),
  }
}

/** The packages whose licence the project does not accept, each with its licence. */
export function refusedLicenses(packages, licenseOf) {
  return packages
    .filter(({ folder }) => !folder)
    .map(({ name, version }) => [`${name}@${version}`, licenseOf(name, version) ?? 'no licence stated'])
    .filter(([, license]) => !isAccepted(license))
    .map(([id, license]) => `${id}: ${license}`)
}

const ACCEPTED = ['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MIT-0', 'BlueOak-1.0.0', 'Unlicense']

/** One of the accepted licences, or a choice that has one, or several that apply at once and are all accepted. */
function isAccepted(license) {
  const plain = license.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAccepted)
  return plain.split(' AND ').every((one) => ACCEPTED.includes(one))
}

function component({ url, folder, name, version, integrity }, licenseOf) {
  if (folder) return { type: 'library', 'bom-ref': url, name: url.slice('workspace:'.length), scope: 'required' }
  const license = licenseOf(name, version)
  return {
    type: 'library',
    'bom-ref': url,
    name,
    version,
    scope: 'required',
    purl: url,
    ...(license && { licenses: [{ expression: license }] }),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
  }
}

function runsOn({ os, cpu, libc }, platform) {
  return (os ?? [platform.os]).includes(platform.os) && (cpu ?? [platform.cpu]).includes(platform.cpu) && libc?.[0] !== 'musl'
}

function runtimeDependencies({ dependencies = {}, optionalDependencies = {} }) {
  return Object.entries({ ...dependencies, ...optionalDependencies })
}

function packageUrl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function workspaceUrl(folder) {
  return `workspace:${folder}`
}

function resolveFolder(from, to) {
  return new URL(to, `file:///${from}/`).pathname.slice(1)
}
