// Looks at the list in Firefox: node firefox.mjs PUPPETEER AXE FIREFOX URL. Prints what it saw as JSON.
import { readFileSync } from "node:fs";

const [puppeteerFile, axeFile, program, url] = process.argv.slice(2);
const { default: puppeteer } = await import(puppeteerFile);
const axe = readFileSync(axeFile, "utf8");
const complaints = [];
const patience = 240_000; // milliseconds
const widths = [1280, 400];
const addresses = ["index", "systems/model", "plots", "about"];

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: program,
  headless: true,
  timeout: patience,
  protocolTimeout: patience,
});

async function open(address, width) {
  const page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(`${address}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${address}: ${error.message}`));
  page.setDefaultTimeout(patience);
  await page.setViewport({ width, height: 900 });
  await page.goto(`${url}${address}.html`);
  return page;
}

for (const width of widths) {
  for (const address of addresses) {
    const page = await open(address, width);
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > width) complaints.push(`${address}: ${needed} px wide in a window of ${width}`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run());
    for (const { id, impact } of violations) {
      if (["serious", "critical"].includes(impact)) complaints.push(`${address}: ${id}`);
    }
    await page.close();
  }
}

const page = await open("index", 1280);
const first = () => page.$eval('#systems tbody[data-group="historic"] [data-cell="name"]', (cell) => cell.textContent.trim());
const order = [await first()];
await page.click("#choice summary");
for (const [slider, key] of [["#w_per_process", "End"], ["#w_b_eff", "Home"]]) {
  await page.focus(slider);
  await page.keyboard.press(key);
}
await page.waitForFunction(
  (before) => document.querySelector('#systems tbody[data-group="historic"] [data-cell="name"]').textContent.trim() !== before,
  {},
  order[0],
);
order.push(await first());
const address = new URL(page.url()).hash;
await browser.close();
console.log(JSON.stringify({ complaints, order, address }));
