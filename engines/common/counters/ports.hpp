#pragma once

#include <filesystem>
#include <optional>

#include "core/record/host_hardware.hpp"
#include "core/record/wires.hpp"

namespace beff {

/// Reads physical ports of InfiniBand and Ethernet, and devices with fewer PCIe lanes than they
/// and their slots could have, from a tree like /sys. What cannot be read is left out. Left out as
/// well are virtual and loopback ports, Ethernet ports seen as RDMA devices (their other face is
/// read), virtual functions beside their physical one, and bridges of PCIe.
HostHardware read_host_hardware(const std::filesystem::path& sys);

/// Rate in one direction of an RDMA port ("200 Gb/sec (4X HDR)"), or of a network interface; empty
/// where none is reported, as of one that is down.
std::optional<double> rdma_rate_MBps(const std::filesystem::path& port);
std::optional<double> interface_rate_MBps(const std::filesystem::path& interface);

/// Reads the counters of all ports of this host: of RDMA devices (InfiniBand, RoCE, Slingshot, EFA)
/// from a tree like /sys, of all network interfaces from one like /proc; without payload. RDMA
/// bypasses the interface of the same port, so nothing is counted twice; interfaces that send by
/// others (bonds, bridges, VLANs, IP over InfiniBand) are left out. What cannot be read is left
/// out.
HostWires read_port_counters(const std::filesystem::path& sys, const std::filesystem::path& proc);

}  // namespace beff
