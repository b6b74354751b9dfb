import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './main.css'
import './layout/shell.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
// Where the first picture came with the page, it is seen before what brings it to life takes its time.
if (root.hasChildNodes()) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
const { start } = await import('./start.js')
start(root)
