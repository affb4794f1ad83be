// Looks at the list in Firefox: node firefox.mjs PUPPETEER AXE FIREFOX URL. Prints what it saw as JSON.
import { readFileSync } from "node:fs";

const [puppeteerFile, axeFile, program, url] = process.argv.slice(2);
const { default: puppeteer } = await import(puppeteerFile);
const axe = readFileSync(axeFile, "utf8");
const complaints = [];
const patience = 240_000; // milliseconds
const widths = [1280, 400];
const addresses = ["", "#open=Model"];

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
  await page.goto(`${url}index.html${address}`);
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

const page = await open("", 1280);
const historic = "#systems > tbody:nth-of-type(2) th button";
const first = () => page.$eval(historic, (button) => button.textContent);
const order = [await first()];
await page.click("summary");
for (const [slider, key] of [["#per_process", "End"], ["#b_eff", "Home"]]) {
  await page.focus(slider);
  await page.keyboard.press(key);
}
await page.waitForFunction(
  (button, before) => document.querySelector(button).textContent !== before,
  {},
  historic,
  order[0],
);
order.push(await first());
const address = new URL(page.url()).hash;
await browser.close();
console.log(JSON.stringify({ complaints, order, address }));
