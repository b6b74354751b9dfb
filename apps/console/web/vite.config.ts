import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, runnerImport } from 'vite'
import type { prerenderedPages } from './prerendered.js'

export default defineConfig({
  plugins: [react(), prerenderPages()],
  // The server writes a fresh nonce in its place into every answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: on a slow machine each of them costs as much as some 20 kB of script.
          groups: [
            { name: 'first', test: /[\\/]start\.tsx$/, priority: 3 },
            { name: 'contracts', test: /[\\/]zod[\\/]|packages[\\/]sdk[\\/]/, priority: 2 },
            { name: 'library', test: /[\\/]node_modules[\\/](?!.*(virtual|number-format|NumberInput))/, minShareCount: 4, priority: 1 },
            { name: 'parts', test: /web[\\/](platform|texts|parts[\\/](?!data-table))/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  // `pnpm dev`: the page from its sources, in front of a platform that runs.
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:8080', '/session': 'http://127.0.0.1:8080' } },
})

/** Preloads the first scripts, and writes each prerendered page beside index.html. */
function prerenderPages(): Plugin {
  return {
    name: 'prerender-pages',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The page is not among the files.')
      const first = Object.values(bundle).filter(({ type, name }) => type === 'chunk' && (name === 'first' || name === 'start'))
      const preloads = first.map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}" nonce="__NONCE__">`)
      page.source = String(page.source).replace('</head>', () => `${preloads.join('')}</head>`)
      const { module } = await runnerImport<{ prerenderedPages: typeof prerenderedPages }>(`${import.meta.dirname}/prerendered.tsx`)
      for (const [name, html] of Object.entries(module.prerenderedPages())) {
        const source = page.source.replace('<div id="root" hidden>', (root) => root + html)
        this.emitFile({ type: 'asset', fileName: `${name}.html`, source })
      }
    },
  }
}
