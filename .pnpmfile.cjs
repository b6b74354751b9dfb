// The generated client needs neither Prisma's command nor TypeScript. As its peers they would be half of what each app ships.
module.exports = {
  hooks: {
    readPackage({ peerDependencies, peerDependenciesMeta, ...manifest }) {
      return manifest.name === '@prisma/client' ? manifest : { ...manifest, peerDependencies, peerDependenciesMeta }
    },
  },
}
