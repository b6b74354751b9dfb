import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './main.css'
import './layout/shell.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
// A prerendered page is painted before hydration starts.
if (root.hasChildNodes()) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
const { start } = await import('./start.js')
start(root)
